import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { escapeHtml } from '../escape-html.ts';

/** Escaped markup. */
export type Html = { readonly markup: string };

type Part = string | Html | readonly Html[];

function markupOf(part: Part): string {
  if (typeof part === 'string') return escapeHtml(part);
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

/** Builds markup. Strings are escaped, also for quoted attributes. */
export function html(pieces: TemplateStringsArray, ...parts: Part[]): Html {
  const filled = pieces.map((piece, index) => {
    const part = parts[index];
    return part === undefined ? piece : piece + markupOf(part);
  });
  return { markup: filled.join('') };
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1d1c1d; --soft: #5c5b5e; --paper: #fff; --line: #dddcdf; --key: #1f3a5f; --on-key: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e8ea; --soft: #b0b0b5; --paper: #1a1d21; --line: #44474d; --key: #8fb8ec; --on-key: #10151c; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 36rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; }
ul, ol { padding-left: 1.25rem; margin: .5rem 0; }
li { margin: .25rem 0; }
code { font: .95em ui-monospace, monospace; border: 1px solid var(--line); border-radius: .25rem; padding: 0 .25rem; white-space: nowrap; }
.soft { color: var(--soft); }
.key { display: inline-block; margin: 1.25rem 0 .5rem; padding: .75rem 1.25rem; border: 0; border-radius: .5rem; background: var(--key); color: var(--on-key); font: 600 1rem/1.25 system-ui, sans-serif; text-decoration: none; cursor: pointer; }
.key:focus-visible, a:focus-visible { outline: 3px solid var(--soft); outline-offset: 2px; }
a { color: inherit; }
`;

/** No frames; forms only to this app. */
const POLICY = "form-action 'self'; frame-ancestors 'none'";

/** The URL may contain an OAuth code. */
const HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

/** A year: browsers that get this over HTTPS then use only HTTPS for this host, and the others ignore it (RFC 6797). */
const HSTS = 'max-age=31536000';

export type Page = {
  status: number;
  title: string;
  body: Html;
  style?: string;
  /** What to add to the content security policy. */
  policy?: string;
};

/** Sends a page with a style: no scripts, and no resources except those that its policy names. */
export function sendPage(
  response: ServerResponse,
  { status, title, body, style = STYLE, policy = POLICY }: Page,
  headers: Record<string, string | number> = {},
): void {
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${{ markup: style }}</style>
</head>
<body>
${body}
</body>
</html>
`;
  const hash = createHash('sha256').update(style).digest('base64');
  response
    .writeHead(status, {
      ...HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'content-length': Buffer.byteLength(markup),
      'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; ${policy}`,
      'strict-transport-security': HSTS,
      'x-content-type-options': 'nosniff',
      ...headers,
    })
    .end(markup);
}

export function redirect(
  response: ServerResponse,
  location: string,
  headers: Record<string, string>,
): void {
  response.writeHead(302, { ...HEADERS, 'content-length': 0, location, ...headers }).end();
}

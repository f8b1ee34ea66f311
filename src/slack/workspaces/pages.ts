import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { escapeHtml } from '../../escape-html.ts';
import type { Routes } from '../../ops/http-server.ts';
import {
  CONFIRM,
  FRONT_PAGE,
  INSTALL,
  INSTALLED,
  PRIVACY,
  SCOPES,
  START_AGAIN,
  TOO_MANY_REQUESTS,
} from '../words/install.ts';

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

/** Relative, since a proxy may serve the app below a path. */
const INSTALL_PAGE = 'install';
const CALLBACK = 'oauth_redirect';
/** Relative to the front page; the install page is one folder deeper. */
const PRIVACY_PAGE = 'privacy';

const page = (heading: string, body: Html, status = 200): Page => ({
  status,
  title: heading,
  body: html`<main>
<h1>${heading}</h1>
${body}
</main>`,
});

/** Shows text between backticks as code. */
const textWithCode = (text: string): Html[] =>
  text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));

const paragraph = (text: string): Html => html`<p>${textWithCode(text)}</p>`;
const items = (texts: readonly string[]): Html[] =>
  texts.map((text) => html`<li>${textWithCode(text)}</li>\n`);
const buttonLink = (url: string, text: string): Html =>
  html`<p><a class="key" href="${url}">${text}</a></p>`;

/** For whoever opens the app's address in a browser. */
const frontPage = ({ canInstall }: { canInstall: boolean }): Page =>
  page(
    FRONT_PAGE.heading,
    html`${FRONT_PAGE.text.map(paragraph)}
${canInstall ? buttonLink(`slack/${INSTALL_PAGE}`, INSTALL.button) : ''}
${privacyLink(PRIVACY_PAGE)}`,
  );

const privacyLink = (address: string): Html =>
  html`<p class="soft"><a href="${address}">${PRIVACY.link}</a></p>`;

const privacyPage = ({ supportUrl }: { supportUrl: string | undefined }): Page =>
  page(
    PRIVACY.heading,
    html`${paragraph(PRIVACY.intro)}
${PRIVACY.sections.map(
  (section) => html`<h2>${section.heading}</h2>
<ul>
${items(section.items)}</ul>
`,
)}<h2>${PRIVACY.supportHeading}</h2>
${
  supportUrl === undefined
    ? paragraph(PRIVACY.noContact)
    : html`<p>${PRIVACY.support} <a href="${supportUrl}">${supportUrl.replace(/^mailto:/, '')}</a></p>`
}`,
  );

/** What the app does and asks for, before someone goes to Slack to allow it. */
export const installPage = (authorizeUrl: string): Page =>
  page(
    INSTALL.heading,
    html`${paragraph(INSTALL.intro)}
<ul>
${items(INSTALL.features)}</ul>
${buttonLink(authorizeUrl, INSTALL.button)}
<p class="soft">${INSTALL.whichWorkspace}</p>
<h2>${INSTALL.scopesHeading}</h2>
<ul>
${Object.entries(SCOPES).map(([scope, why]) => html`<li>${why} <span class="soft">(${scope})</span></li>\n`)}</ul>
<h2>${INSTALL.nextHeading}</h2>
${paragraph(INSTALL.next)}
${privacyLink(`../${PRIVACY_PAGE}`)}`,
  );

export const installedPage = (props: {
  where: string;
  steps: readonly string[];
  button: { url: string; text: string };
}): Page =>
  page(
    INSTALLED.heading,
    html`${paragraph(props.where)}
<ol>
${items(props.steps)}</ol>
${buttonLink(props.button.url, props.button.text)}`,
  );

/**
 * Slack's admin pages send people here without a state, and so could an attacker: nothing is installed
 * before the person confirms in this browser.
 */
export const confirmPage = (props: { code: string; state: string }): Page =>
  page(
    CONFIRM.heading,
    html`${CONFIRM.text.map(paragraph)}
<form action="${CALLBACK}" method="get">
<input type="hidden" name="code" value="${props.code}">
<input type="hidden" name="state" value="${props.state}">
<button class="key" type="submit">${CONFIRM.button}</button>
</form>`,
  );

/** Nothing was installed, or it isn't known; the person can start again. */
export const errorPage = (
  status: number,
  { heading, text }: { heading: string; text: string },
): Page =>
  page(
    heading,
    html`${paragraph(text)}
${buttonLink(INSTALL_PAGE, START_AGAIN)}`,
    status,
  );

export const tooManyRequestsPage: Page = page(
  TOO_MANY_REQUESTS.heading,
  paragraph(TOO_MANY_REQUESTS.text),
  429,
);

/**
 * `GET /`: a person who opens the app's address learns what it is, and where to go instead. `GET /privacy`: what the
 * app stores, and whom to ask.
 */
export function frontPageRoute(options: {
  canInstall: boolean;
  supportUrl: string | undefined;
}): Routes {
  const [front, privacy] = [frontPage(options), privacyPage(options)];
  return {
    'GET /': async (_request, response) => sendPage(response, front),
    'GET /privacy': async (_request, response) => sendPage(response, privacy),
  };
}

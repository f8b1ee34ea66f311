import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { isPublicHost } from '../../public-host.ts';
import type { Card } from '../../service/operations/read-card.ts';
import { titleOf } from '../card/card-parts.ts';
import { imageUrlOf } from '../card/pictures.ts';
import { GALLERY } from '../words/work-object.ts';
import { type Html, html } from '../workspaces/page.ts';

const STYLE = `
:root { color-scheme: light dark; --ink: #1d1c1d; --soft: #5c5b5e; --paper: #fff; --line: #dddcdf; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8ea; --soft: #b0b0b5; --paper: #1a1d21; --line: #44474d; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
h1 { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: 1rem; margin: 0; padding: 0; list-style: none; }
figure { margin: 0; }
img { display: block; inline-size: 100%; block-size: auto; border: 1px solid var(--line); border-radius: .5rem; }
figcaption { color: var(--soft); overflow-wrap: anywhere; }
a { color: inherit; }
a:focus-visible { outline: 3px solid var(--soft); outline-offset: 2px; }
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** All three are required (docs.slack.dev/changelog/2026/11/06/work-objects-embeds-frame-ancestors). */
const FRAME_ANCESTORS = 'https://*.slack.com https://*.slack-gov.com https://*.slack-mcps.com';

/**
 * An origin that a content security policy can name. URLs allow more in a host, such as `;`, which would begin another
 * directive.
 */
const POLICY_SOURCE = /^https?:\/\/[\w.-]+(?::\d+)?$/;

/**
 * Sends the page with a card's images, the newest first, for Slack's frame: without scripts and cookies. A card must not
 * make its reader's browser ask for anything in the reader's own network.
 *
 * @param serviceOrigin of the design service, which the operator named: its images are shown wherever it is
 */
export function sendGallery(response: ServerResponse, card: Card, serviceOrigin: string): void {
  const isShown = (address: string) => {
    const { origin, protocol, hostname } = new URL(address);
    const isPublic = protocol === 'https:' && isPublicHost(hostname);
    return POLICY_SOURCE.test(origin) && (isPublic || origin === serviceOrigin);
  };
  const title = GALLERY.title(titleOf(card));
  const images = card.files.toReversed().flatMap((file) => {
    const small = imageUrlOf(file);
    if (small === undefined || !isShown(small)) return [];
    const { full } = file.urls;
    return [{ name: file.name, small, full: full && isShown(full) ? full : small }];
  });
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
<main aria-label="${title}">
<h1>${title}</h1>
${images.length > 0 ? html`<ul>${images.map(pictureOf)}</ul>` : html`<p>${GALLERY.none}</p>`}
</main>
</body>
</html>
`;
  const sources = [...new Set(images.map(({ small }) => new URL(small).origin))].join(' ');
  response
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': Buffer.byteLength(markup),
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; img-src ${sources || "'none'"}; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors ${FRAME_ANCESTORS}`,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    .end(markup);
}

const pictureOf = (image: { name: string; small: string; full: string }): Html => html`<li>
<figure>
<a href="${image.full}" target="_blank" rel="noreferrer noopener"><img src="${image.small}" alt="${image.name}" loading="lazy"></a>
<figcaption>${image.name}</figcaption>
</figure>
</li>`;

import { type Html, html, type Page, sendPage } from '../../ops/html-page.ts';
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

const textWithCode = (text: string): Html[] =>
  text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));

const paragraph = (text: string): Html => html`<p>${textWithCode(text)}</p>`;
const items = (texts: readonly string[]): Html[] =>
  texts.map((text) => html`<li>${textWithCode(text)}</li>\n`);
const buttonLink = (url: string, text: string): Html =>
  html`<p><a class="key" href="${url}">${text}</a></p>`;

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

/** Installs nothing yet: an attacker could also send people here, as Slack's admin pages do. */
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
export const errorPage = (status: number, { heading, text }: { heading: string; text: string }) =>
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

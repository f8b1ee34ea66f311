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
import type { Installed } from './token-exchange.ts';

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

const paragraph = (text: string) => html`<p>${textWithCode(text)}</p>`;
const items = (texts: readonly string[]): Html[] =>
  texts.map((text) => html`<li>${textWithCode(text)}</li>\n`);
const buttonLink = (url: string, text: string): Html =>
  html`<p><a class="key" href="${url}">${text}</a></p>`;

const privacyLink = (address: string): Html =>
  html`<p class="soft"><a href="${address}">${PRIVACY.link}</a></p>`;

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

export function installedPage(installed: Installed, authorizeUrl: string): Page {
  const words = installed.isOrganization ? INSTALLED.organization : INSTALLED.workspace;
  return page(
    INSTALLED.heading,
    html`${paragraph(words.where(installed.name))}
<ol>
${items(words.steps)}</ol>
${buttonLink(urlOfNextStep(installed, authorizeUrl), words.button)}`,
  );
}

function urlOfNextStep({ id, appId, isOrganization }: Installed, authorizeUrl: string): string {
  if (isOrganization) {
    // An organization's installation is in none of its workspaces yet (docs.slack.dev/enterprise).
    return `https://app.slack.com/manage/${encodeURIComponent(id)}/integrations/profile/${encodeURIComponent(appId)}/workspaces/add`;
  }
  // Opens the app's direct messages (docs.slack.dev/interactivity/deep-linking).
  const open = new URL('/app_redirect', authorizeUrl);
  open.search = new URLSearchParams({ app: appId, team: id }).toString();
  return open.toString();
}

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

export function frontPageRoute(canInstall: boolean, supportUrl: string | undefined): Routes {
  const front = page(
    FRONT_PAGE.heading,
    html`${FRONT_PAGE.text.map(paragraph)}
${canInstall ? buttonLink(`slack/${INSTALL_PAGE}`, INSTALL.button) : ''}
${privacyLink(PRIVACY_PAGE)}`,
  );
  const privacy = page(
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
  return {
    'GET /': async (_request, response) => sendPage(response, front),
    'GET /privacy': async (_request, response) => sendPage(response, privacy),
  };
}

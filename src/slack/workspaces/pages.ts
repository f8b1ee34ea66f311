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
import { createPageSender, type Html, html, type Page } from './page.ts';

/** Relative, since a proxy may serve the app below a path. */
const INSTALL_PAGE = 'install';
const CALLBACK = 'oauth_redirect';
/** Relative to the front page; the install page is one folder deeper. */
const PRIVACY_PAGE = 'privacy';

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
const frontPage = ({ canInstall }: { canInstall: boolean }): Page => ({
  status: 200,
  heading: FRONT_PAGE.heading,
  body: html`${FRONT_PAGE.text.map(paragraph)}
${canInstall ? buttonLink(`slack/${INSTALL_PAGE}`, INSTALL.button) : ''}
${privacyLink(PRIVACY_PAGE)}`,
});

const privacyLink = (address: string): Html =>
  html`<p class="soft"><a href="${address}">${PRIVACY.link}</a></p>`;

const privacyPage = ({ supportUrl }: { supportUrl: string | undefined }): Page => ({
  status: 200,
  heading: PRIVACY.heading,
  body: html`${paragraph(PRIVACY.intro)}
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
});

/** What the app does and asks for, before someone goes to Slack to allow it. */
export const installPage = (authorizeUrl: string): Page => ({
  status: 200,
  heading: INSTALL.heading,
  body: html`${paragraph(INSTALL.intro)}
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
});

export const workspaceInstalledPage = (props: { name: string; openUrl: string }): Page => ({
  status: 200,
  heading: INSTALLED.heading,
  body: html`${paragraph(INSTALLED.inWorkspace(props.name))}
<ol>
${items(INSTALLED.workspaceSteps)}</ol>
${buttonLink(props.openUrl, INSTALLED.openSlack)}`,
});

export const organizationInstalledPage = (props: {
  name: string;
  workspacesUrl: string;
}): Page => ({
  status: 200,
  heading: INSTALLED.heading,
  body: html`${paragraph(INSTALLED.inOrganization(props.name))}
<ol>
${items(INSTALLED.organizationSteps)}</ol>
${buttonLink(props.workspacesUrl, INSTALLED.chooseWorkspaces)}`,
});

/**
 * Slack's admin pages send people here without a state, and so could an attacker: nothing is installed
 * before the person confirms in this browser.
 */
export const confirmPage = (props: { code: string; state: string }): Page => ({
  status: 200,
  heading: CONFIRM.heading,
  body: html`${CONFIRM.text.map(paragraph)}
<form action="${CALLBACK}" method="get">
<input type="hidden" name="code" value="${props.code}">
<input type="hidden" name="state" value="${props.state}">
<button class="key" type="submit">${CONFIRM.button}</button>
</form>`,
});

/** Nothing was installed, or it isn't known; the person can start again. */
export const errorPage = (
  status: number,
  { heading, text }: { heading: string; text: string },
): Page => ({
  status,
  heading,
  body: html`${paragraph(text)}
${buttonLink(INSTALL_PAGE, START_AGAIN)}`,
});

export const tooManyRequestsPage: Page = {
  status: 429,
  heading: TOO_MANY_REQUESTS.heading,
  body: paragraph(TOO_MANY_REQUESTS.text),
};

/**
 * `GET /`: a person who opens the app's address learns what it is, and where to go instead. `GET /privacy`: what the
 * app stores, and whom to ask.
 */
export function frontPageRoute(options: {
  canInstall: boolean;
  publicUrl: string | undefined;
  supportUrl: string | undefined;
}): Routes {
  const { canInstall, publicUrl = '', supportUrl } = options;
  const sendPage = createPageSender({ isSecure: publicUrl.startsWith('https:') });
  const front = frontPage({ canInstall });
  const privacy = privacyPage({ supportUrl });
  return {
    'GET /': async (_request, response) => sendPage(response, front),
    'GET /privacy': async (_request, response) => sendPage(response, privacy),
  };
}

import { html } from './html.ts';
import type { Page } from './page.ts';
import { SCOPES } from './scopes.ts';

/** All pages lie beside each other, below `/slack/`, wherever the app itself may live. */
const INSTALL_PAGE = 'install';
const CALLBACK = 'oauth_redirect';

const startAgain = html`<p><a class="key" href="${INSTALL_PAGE}">Start again</a></p>`;

/** What the app does and asks for, before somebody goes to Slack to allow it. */
export function installPage(authorizeUrl: string): Page {
  return {
    status: 200,
    heading: 'Add Design Request to Slack',
    body: html`<p>Order design and video work without leaving Slack.</p>
<ul>
<li><code>/design-request</code> opens a form; sent, it becomes a card at your design service.</li>
<li>Links to cards show their status, title and picture.</li>
<li>Nothing typed is lost, and nothing is ordered twice.</li>
</ul>
<p><a class="key" href="${authorizeUrl}">Add to Slack</a></p>
<p class="soft">Slack asks you which workspace. Some workspaces let only admins add apps.</p>
<h2>What it may do in your workspace</h2>
<ul>
${Object.entries(SCOPES).map(([scope, words]) => html`<li>${words} <span class="soft">(${scope})</span></li>\n`)}</ul>
<h2>Afterwards</h2>
<p>A workspace admin types <code>/design-request connect</code> and pastes the API key of your design
service. It is kept encrypted and never shown again. Remove the app in Slack, and everything it kept of
your workspace is deleted within a minute.</p>`,
  };
}

/** @param props.openUrl leads to the app in Slack */
export function workspaceInstalledPage(props: { name: string; openUrl: string }): Page {
  return {
    status: 200,
    heading: 'Design Request is installed',
    body: html`<p>It is in ${props.name || 'your workspace'} now. One step is left:</p>
<ol>
<li>Open Slack.</li>
<li>A workspace admin types <code>/design-request connect</code> and pastes the API key of your design
service.</li>
</ol>
<p><a class="key" href="${props.openUrl}">Open Slack</a></p>`,
  };
}

/** @param props.workspacesUrl where an organisation's admin gives the app to workspaces */
export function organisationInstalledPage(props: { name: string; workspacesUrl: string }): Page {
  return {
    status: 200,
    heading: 'Design Request is installed',
    body: html`<p>It is in ${props.name || 'your organisation'} now, and in none of its workspaces yet.</p>
<ol>
<li>Choose the workspaces that get it.</li>
<li>In each, an admin types <code>/design-request connect</code> and pastes an API key of your design
service. One key can serve all workspaces: the form asks.</li>
</ol>
<p><a class="key" href="${props.workspacesUrl}">Choose workspaces</a></p>`,
  };
}

/**
 * Slack's admin pages send people here without a state, and so could anybody: nothing is installed
 * before the person says so in this very browser.
 */
export function confirmPage(props: { code: string; state: string }): Page {
  return {
    status: 200,
    heading: 'Finish installing Design Request?',
    body: html`<p>Slack says that somebody has just allowed this app on Slack’s own admin pages.</p>
<p>If that was you, finish here. If you don’t know what this is about, close this page: nothing is
installed.</p>
<form action="${CALLBACK}" method="get">
<input type="hidden" name="code" value="${props.code}">
<input type="hidden" name="state" value="${props.state}">
<button class="key" type="submit">Finish installing</button>
</form>`,
  };
}

export const deniedPage: Page = {
  status: 200,
  heading: 'Nothing was installed',
  body: html`<p>You pressed Cancel at Slack, or Slack did not let you allow the app. If your workspace lets only
admins add apps, ask one of them to open this page.</p>
${startAgain}`,
};

/** The state is not this browser's, too old, or was used already. */
export const staleLinkPage: Page = {
  status: 400,
  heading: 'This link can’t be used',
  body: html`<p>It is too old, was used already, or comes from another browser. Nothing was installed by it.</p>
${startAgain}`,
};

export const incompleteLinkPage: Page = {
  status: 400,
  heading: 'Something is missing',
  body: html`<p>Slack sent you here without what installing needs. Nothing was installed.</p>
${startAgain}`,
};

/** Slack did not take the code. */
export const refusedPage: Page = {
  status: 400,
  heading: 'Slack did not confirm the installation',
  body: html`<p>That happens when more than ten minutes pass, or when a page is opened twice. Nothing was
installed.</p>
${startAgain}`,
};

/** @param reference is in the log, too */
export function mismatchPage(reference: string): Page {
  return {
    status: 502,
    heading: 'Nothing was installed',
    body: html`<p>Slack’s answer doesn’t fit together: the access it gave us is for another workspace or app than
the one it named, so we didn’t keep it. Start again. If it happens again, tell whoever runs this app:
<code>${reference}</code>.</p>
${startAgain}`,
  };
}

/** @param reference stands in the log, too */
export function failedPage(reference: string): Page {
  return {
    status: 502,
    heading: 'The installation did not work',
    body: html`<p>Slack could not be reached, or the installation could not be kept. Start again in a minute. If
it fails again, tell whoever runs this app: <code>${reference}</code>.</p>
${startAgain}`,
  };
}

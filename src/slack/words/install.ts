// The installation pages and the first message after an installation. `…` marks code.

/** The scopes that the app asks for, and why. A test compares them with manifest.yml. */
export const SCOPES: Readonly<Record<string, string>> = {
  commands: 'Answer when you type /design-request',
  'chat:write': 'Post confirmations, and write to people who ordered something',
  'chat:write.public': 'Post a confirmation in a public channel that it has not joined',
  'links:read': 'Notice links to design cards',
  'links:write': 'Show what such a link leads to',
  'users:read': 'Know who is an admin, a guest, or from another company',
  'channels:read': 'Know which public channels are shared with another company',
  'groups:read': 'Know the same of private channels that it was added to',
};

export const INSTALL = {
  heading: 'Add Design Request to Slack',
  intro: 'Order design and video work without leaving Slack.',
  features: [
    '`/design-request` opens a form; sent, it becomes a card at your design service.',
    'Links to cards show their status, title and picture.',
    'Nothing typed is lost, and nothing is ordered twice.',
  ],
  button: 'Add to Slack',
  whichWorkspace: 'Slack asks you which workspace. Some workspaces let only admins add apps.',
  scopesHeading: 'What it may do in your workspace',
  nextHeading: 'Afterwards',
  next: 'A workspace admin types `/design-request connect` and pastes the API key of your design service. It is kept encrypted and never shown again. Remove the app in Slack, and everything it kept of your workspace is deleted within a minute.',
};

export const INSTALLED = {
  heading: 'Design Request is installed',
  inWorkspace: (name: string) => `It is in ${name || 'your workspace'} now. One step is left:`,
  workspaceSteps: [
    'Open Slack.',
    'A workspace admin types `/design-request connect` and pastes the API key of your design service.',
  ],
  openSlack: 'Open Slack',
  inOrganization: (name: string) =>
    `It is in ${name || 'your organisation'} now, and in none of its workspaces yet.`,
  organizationSteps: [
    'Choose the workspaces that get it.',
    'In each, an admin types `/design-request connect` and pastes an API key of your design service. One key can serve all workspaces: the form asks.',
  ],
  chooseWorkspaces: 'Choose workspaces',
};

export const CONFIRM = {
  heading: 'Finish installing Design Request?',
  text: [
    'Slack says that somebody has just allowed this app on Slack’s own admin pages.',
    'If that was you, finish here. If you don’t know what this is about, close this page: nothing is installed.',
  ],
  button: 'Finish installing',
};

export const START_AGAIN = 'Start again';

export const DENIED = {
  heading: 'Nothing was installed',
  text: 'You pressed Cancel at Slack, or Slack did not let you allow the app. If your workspace lets only admins add apps, ask one of them to open this page.',
};

export const STALE_LINK = {
  heading: 'This link can’t be used',
  text: 'It is too old, was used already, or comes from another browser. Nothing was installed by it.',
};

export const INCOMPLETE_LINK = {
  heading: 'Something is missing',
  text: 'Slack sent you here without what installing needs. Nothing was installed.',
};

export const NOT_CONFIRMED = {
  heading: 'Slack did not confirm the installation',
  text: 'That happens when more than ten minutes pass, or when a page is opened twice. Nothing was installed.',
};

export const mismatch = (reference: string) => ({
  heading: 'Nothing was installed',
  text: `Slack’s answer doesn’t fit together: the access it gave us is for another workspace or app than the one it named, so we didn’t keep it. Start again. If it happens again, tell whoever runs this app: \`${reference}\`.`,
});

export const failed = (reference: string) => ({
  heading: 'The installation did not work',
  text: `Slack could not be reached, or the installation could not be kept. Start again in a minute. If it fails again, tell whoever runs this app: \`${reference}\`.`,
});

/** The direct message to the person who installed the app. */
export const GREETING =
  'Thanks for installing Design Request. One step is left: a workspace admin types `/design-request connect` and pastes the API key of your design service. Then anybody can type `/design-request` to order something.';

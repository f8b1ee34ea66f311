// The installation pages and the first message after an installation. Text between backticks is shown as code.

/** The scopes that the app asks for, and why. A test compares them with manifest.yml. */
export const SCOPES: Readonly<Record<string, string>> = {
  commands: 'Answer when you type /design-request',
  'chat:write': 'Post confirmations, and message people about their requests',
  'chat:write.public': 'Post a confirmation in a public channel that it hasn’t joined',
  'links:read': 'See links to design cards',
  'links:write': 'Show previews of those links',
  'users:read': 'Know who is an admin, a guest, or from another company',
  'channels:read': 'Know which public channels are shared with another company, and who is in them',
  'groups:read': 'The same for private channels it’s been added to',
  'files:read': 'Pass on files you attach to a request (optional)',
};

export const FRONT_PAGE = {
  heading: 'Design Request is running',
  text: [
    'This is the address at which Slack reaches the app. There’s nothing else to see here.',
    'To request design or video work, type `/design-request` in Slack.',
  ],
};

export const INSTALL = {
  heading: 'Add Design Request to Slack',
  intro: 'Request design and video work without leaving Slack.',
  features: [
    '`/design-request` opens a form that creates a card when you send it.',
    'Links to cards show their title, status, and image.',
    'Nothing you type is lost, and no request is sent twice.',
  ],
  button: 'Add to Slack',
  whichWorkspace:
    'Slack asks which workspace to add it to. In some workspaces, only admins can add apps.',
  scopesHeading: 'What it can do in your workspace',
  nextHeading: 'What happens next',
  next: 'A workspace admin types `/design-request connect` and pastes your design service’s API key. The key is encrypted and never shown again. If you remove the app in Slack, everything it stored about your workspace is deleted within a minute.',
};

export const INSTALLED = {
  heading: 'Design Request is installed',
  workspace: {
    where: (name: string) => `It’s now in ${name || 'your workspace'}. One step is left:`,
    steps: [
      'Open Slack.',
      'Ask a workspace admin to type `/design-request connect` and paste your design service’s API key.',
    ],
    button: 'Open Slack',
  },
  organization: {
    where: (name: string) =>
      `It’s now in ${name || 'your organization'}, but not in any of its workspaces yet.`,
    steps: [
      'Choose the workspaces that should have it.',
      'In each workspace, an admin types `/design-request connect` and pastes your design service’s API key. One key can serve all workspaces: the form asks.',
    ],
    button: 'Choose workspaces',
  },
};

export const CONFIRM = {
  heading: 'Finish installing Design Request?',
  text: [
    'Slack says that someone has just approved this app on Slack’s admin pages.',
    'If that was you, finish here. If you don’t know what this is about, close this page, and nothing is installed.',
  ],
  button: 'Finish installing',
};

export const START_AGAIN = 'Start again';

export const DENIED = {
  heading: 'Nothing was installed',
  text: 'You pressed Cancel in Slack, or Slack didn’t let you add the app. If only admins can add apps, ask one of them to open this page.',
};

export const STALE_LINK = {
  heading: 'This link doesn’t work any more',
  text: 'It’s too old, was already used, or was opened in another browser. Nothing was installed.',
};

export const NOT_CONFIRMED = {
  heading: 'Slack didn’t confirm the installation',
  text: 'This happens when more than ten minutes pass, or when a page is opened twice. Nothing was installed.',
};

export const TOO_MANY_REQUESTS = {
  heading: 'Too many requests',
  text: 'This page was opened too often from your network. Wait a minute, then try again.',
};

export const failed = (reference: string) => ({
  heading: 'The installation didn’t work',
  text: `We couldn’t reach Slack or save the installation. Start again in a minute. If it fails again, tell whoever runs this app: \`${reference}\`.`,
});

export const GREETING =
  'Thanks for installing Design Request. One step is left: a workspace admin types `/design-request connect` and pastes your design service’s API key. Then anyone can type `/design-request` to make a request.';

// The public page about privacy and support.

export const PRIVACY = {
  heading: 'Privacy and support',
  intro:
    'Design Request sends requests for design and video work from Slack to your company’s design service.',
  sections: [
    {
      heading: 'What it stores',
      items: [
        'What you type into the form, the names and Slack IDs of attached files, your Slack user ID, and what became of the request.',
        'What you chose last, so that the next form is filled in, and a form that you closed, for a day.',
        'Your workspace’s API key and Slack’s tokens, encrypted. Settings, and which admin changed them.',
        'Links to cards that people post, for about a day, or while someone watches the card. Which cards you watch, and what you were last told about them.',
        'No messages, except for one from which you open the form. No email addresses, and no files.',
      ],
    },
    {
      heading: 'Who gets it',
      items: [
        'What you send in the form goes to your company’s design service. Nobody else gets it.',
        'Previews of cards are shown in the channels where people post their links.',
      ],
    },
    {
      heading: 'How long',
      items: [
        'Requests: 30 days after they became a card, were rejected, or were discarded, and as long as someone watches their card. Requests that still wait are kept.',
        'The choices that fill your next form: 180 days after you last made them. The record of changes by admins: 365 days.',
        'When a workspace removes the app in Slack, everything about it is deleted within a minute, except for backups of whoever runs the app.',
      ],
    },
  ],
  supportHeading: 'Support',
  support: 'For questions, and to have your data corrected or deleted, write to:',
  noContact:
    'For questions, and to have your data corrected or deleted, ask an admin of your workspace.',
  link: 'Privacy and support',
} as const;

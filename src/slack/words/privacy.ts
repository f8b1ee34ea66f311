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
        'Requests: 30 days after they became a card, were rejected, or were discarded, but as long as someone watches their card. Requests that still wait are kept.',
        'What forms are filled with: 180 days after you last chose it. The record of changes by admins: 365 days.',
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

export const TOO_MANY_REQUESTS = {
  heading: 'Too many requests',
  text: 'This page was opened too often from your network. Wait a minute, then try again.',
};

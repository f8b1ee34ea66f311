// The shortcuts, which open the form from a message or from anywhere.

export const FROM_MESSAGE = {
  /** Before the author, where the message is, and its link. */
  from: 'From a message',
  by: ' by ',
  /** @param name without #; undefined for conversations without a name */
  inChannel: (name: string | undefined) => (name === undefined ? '' : ` in #${name}`),
  link: 'Open the message in Slack',
  cut: 'The message is too long to copy in full. Open it in Slack to read the rest.',
  files: 'Files in the message:',
  notOpened: (reference: string) =>
    `The form couldn’t be opened (${reference}). Try again from the message’s menu.`,
};

export const ANYWHERE = {
  notOpened: (reference: string) =>
    `The form couldn’t be opened (${reference}). Type \`/design-request\` to try again.`,
};

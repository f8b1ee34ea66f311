import type { FileProblem } from '../request-form/slack-files.ts';

// The shortcuts, which open the form from a message or from anywhere.

export const FROM_MESSAGE = {
  /** Before the author, where the message is, and its link. */
  from: 'From a message',
  by: ' by ',
  /** @param name without #; undefined for conversations without a name */
  inChannel: (name: string | undefined) => (name === undefined ? '' : ` in #${name}`),
  link: 'Open the message in Slack',
  /** Of a forwarded message. */
  original: 'Open the original message in Slack',
  /** A picture without a title. */
  picture: 'Picture',
  cut: 'The message is too long to copy in full. Open it in Slack to read the rest.',
  deleted: 'The message was deleted, so nothing of it could be copied.',
  controls: 'Its buttons and menus aren’t copied.',
  partial: 'Part of the message couldn’t be copied. Open it in Slack to see everything.',
  files: 'Files in the message:',
  moreFiles: 'The message has more files. Open it in Slack to see them.',
  notOpened: (reference: string) =>
    `The form couldn’t be opened (${reference}). Try again from the message’s menu.`,
  notOpenedAnywhere: (reference: string) =>
    `The form couldn’t be opened (${reference}). Type \`/design-request\` to try again.`,
};

/** A file of a message that can neither be attached nor linked to. */
export function wordsForLeftFile(
  problem: FileProblem | 'hidden' | undefined,
  name: string | undefined,
): string {
  const file = name === undefined ? undefined : `“${name}”`;
  switch (problem) {
    case 'deleted':
      return `${file ?? 'A file'} was deleted in Slack.`;
    case 'hidden':
      return `Slack hides ${file ?? 'a file'} because of your plan’s limits.`;
    default:
      return `${file ?? 'A file'} couldn’t be copied.`;
  }
}

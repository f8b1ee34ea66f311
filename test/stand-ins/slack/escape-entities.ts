/** The three characters that Slack escapes in text (docs.slack.dev/messaging/formatting-message-text). */
export const escapeEntities = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

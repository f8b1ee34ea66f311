/**
 * Typed text without NUL and lone surrogates (which become U+FFFD), because Slack's fields, the
 * databases, and JSON parsers treat them differently.
 */
export const typedText = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();

/** The entities that Slack uses (docs.slack.dev/messaging/formatting-message-text). */
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Text as the person wrote it, from Slack's escaped form. */
export function unescapeEntities(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt);/g, (found) => ENTITIES[found] ?? found);
}

/** The three that Slack escapes in text (docs.slack.dev/messaging/formatting-message-text). */
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** What a person wrote, from how Slack gives it. */
export function unescapeEntities(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt);/g, (found) => ENTITIES[found] ?? found);
}

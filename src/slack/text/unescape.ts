/** The entities that Slack uses (docs.slack.dev/messaging/formatting-message-text). */
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Text as the person wrote it, from Slack's escaped form. */
export function unescapeEntities(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt);/g, (found) => ENTITIES[found] ?? found);
}

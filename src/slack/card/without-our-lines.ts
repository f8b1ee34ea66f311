/** How the paragraphs begin that this app adds below the description (`request-form/new-card.ts`). */
const OUR_LINES = ['<p>Needed by ', '<p>References:</p>', '<p>Requested in Slack'];

/** A card's description, as HTML, as its author wrote it. */
export function withoutOurLines(html: string): string {
  const begins = OUR_LINES.map((line) => html.indexOf(line)).filter((at) => at >= 0);
  return html.slice(0, Math.min(html.length, ...begins));
}

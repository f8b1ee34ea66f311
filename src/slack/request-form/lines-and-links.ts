/** The lines of a text that aren't blank, trimmed. */
export const nonBlankLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** A domain, perhaps with a port and a path, as people write it. */
const WITHOUT_SCHEME = /^(?:[\p{L}\p{N}-]+\.)+[\p{L}-][\p{L}\p{N}-]+(?::\d+)?(?:[/?#]\S*)?$/u;

/** The address that a browser opens for a text; undefined if it is anything else than one address. */
export function webLinkOf(text: string): string | undefined {
  const url = WITHOUT_SCHEME.test(text) ? `https://${text}` : text;
  return /^https?:\/\/\S+$/i.test(url) && URL.canParse(url) ? url : undefined;
}

import { escapeHtml } from '../../escape-html.ts';

const REDACTED = '[API key]';

/** A shorter key could be part of ordinary words (our choice: the API reference doesn't describe keys). */
const SHORTEST_SECRET = 8;

/** How much is read of one array or object (our choice: the API reference names no limit). */
export const MAX_ENTRIES = 10_000;
/** Levels of nesting that are read. A card has four. */
const MAX_DEPTH = 20;

/**
 * Returns a function that removes an API key from a text, also where it is escaped for a URL or HTML. If the service
 * repeated the key, it would otherwise be shown and stored.
 */
export function createRedaction(apiKey: string): (text: string) => string {
  if (apiKey.length < SHORTEST_SECRET) return (text) => text;
  const inAddresses = [encodeURIComponent(apiKey), inQuery(apiKey)];
  const spellings = new Set([
    apiKey,
    ...inAddresses,
    ...inAddresses.map((text) => text.replace(/%../g, (code) => code.toLowerCase())),
    escapeHtml(apiKey),
  ]);
  return (text) =>
    text.length < apiKey.length
      ? text
      : [...spellings].reduce((left, spelling) => left.replaceAll(spelling, REDACTED), text);
}

/** As URLSearchParams escapes it. */
const inQuery = (text: string) => String(new URLSearchParams([['', text]])).slice('='.length);

/**
 * Parses an answer of the service, without what exceeds the limits.
 *
 * @param redact applied to every text, also to the names of properties
 * @returns undefined (which JSON can't express) if the text isn't JSON
 */
export function readJson(text: string, redact: (text: string) => string): unknown {
  try {
    return within(JSON.parse(text), redact, 0);
  } catch {
    return undefined;
  }
}

/** Changes arrays in place: copies of hundreds of thousands of them would take longer than parsing them. */
function within(json: unknown, redact: (text: string) => string, depth: number): unknown {
  if (typeof json === 'string') return redact(json);
  if (typeof json !== 'object' || json === null) return json;
  if (depth === MAX_DEPTH) return null;
  if (Array.isArray(json)) {
    json.splice(MAX_ENTRIES);
    for (const [index, entry] of json.entries()) json[index] = within(entry, redact, depth + 1);
    return json;
  }
  const entries = Object.entries(json).slice(0, MAX_ENTRIES);
  if (entries.length === 0) return json;
  return Object.fromEntries(
    entries.map(([name, value]) => [redact(name), within(value, redact, depth + 1)]),
  );
}

import { escapeHtml } from '../../escape-html.ts';
import { isObject } from '../operations/loose-values.ts';

const REDACTED = '[API key]';

/** A shorter key could be part of ordinary words (our choice: the API reference doesn't describe keys). */
const SHORTEST_SECRET = 8;

/**
 * Returns a function that removes an API key from parsed JSON, including property names, and also where it is
 * escaped for a URL or HTML. If the service echoed the key, it would otherwise be shown and stored.
 */
export function createRedaction(apiKey: string): (json: unknown) => unknown {
  if (apiKey.length < SHORTEST_SECRET) return (json) => json;
  const inAddresses = [encodeURIComponent(apiKey), inQuery(apiKey)];
  const spellings = new Set([
    apiKey,
    ...inAddresses,
    ...inAddresses.map((text) => text.replace(/%../g, (code) => code.toLowerCase())),
    escapeHtml(apiKey),
  ]);
  const clean = (text: string) =>
    [...spellings].reduce((left, spelling) => left.replaceAll(spelling, REDACTED), text);

  return function redact(json: unknown): unknown {
    if (typeof json === 'string') return clean(json);
    if (Array.isArray(json)) return json.map(redact);
    if (!isObject(json)) return json;
    return Object.fromEntries(
      Object.entries(json).map(([name, value]) => [clean(name), redact(value)]),
    );
  };
}

/** As URLSearchParams escapes it. */
const inQuery = (text: string) => String(new URLSearchParams([['', text]])).slice('='.length);

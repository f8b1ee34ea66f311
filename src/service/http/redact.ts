import { isObject } from '../operations/loose-values.ts';

const REDACTED = '[API key]';

/** A shorter key (ours: api.md shows none) is found inside ordinary words too, and no secret. */
const SHORTEST_SECRET = 8;

/**
 * Makes what takes an API key out of parsed JSON, names of fields included: also as a web address or
 * HTML would spell it. A service that echoes the key would otherwise have it shown and stored.
 */
export function createRedaction(apiKey: string): (json: unknown) => unknown {
  if (apiKey.length < SHORTEST_SECRET) return (json) => json;
  const inAddresses = [encodeURIComponent(apiKey), inQuery(apiKey)];
  const spellings = new Set([
    apiKey,
    ...inAddresses,
    ...inAddresses.map((text) => text.replace(/%../g, (code) => code.toLowerCase())),
    apiKey.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign),
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

/** As forms and URLSearchParams spell it. */
const inQuery = (text: string) => String(new URLSearchParams([['', text]])).slice('='.length);

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

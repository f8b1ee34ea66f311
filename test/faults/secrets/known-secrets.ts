/** A secret that must not be found anywhere, in all encodings in which it could appear. */
export type KnownSecret = { name: string; looks: Buffer[] };

export type Hit = { secret: string; place: string };

/** Long enough that no other text contains it by accident. */
const SHORTEST_LOOK = 12;

/** @param bytes for a key that is configured as the base64 of its bytes */
export function knownSecret(name: string, secret: string, bytes?: Buffer): KnownSecret {
  const raw = bytes ?? Buffer.from(secret);
  const texts = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    raw.toString('hex'),
    // The ends of base64 depend on what is next to it.
    raw.toString('base64').slice(0, -4),
    raw.toString('base64url').slice(0, -4),
    secret.toUpperCase(),
    secret.toLowerCase(),
  ];
  const looks = [...new Set(texts)].filter((text) => text.length >= SHORTEST_LOOK);
  return { name, looks: [...looks.map((text) => Buffer.from(text)), ...(bytes ? [bytes] : [])] };
}

/** Which of the secrets are in these bytes. */
export function hitsIn(
  place: string,
  content: string | Buffer,
  secrets: readonly KnownSecret[],
): Hit[] {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return secrets
    .filter(({ looks }) => looks.some((look) => bytes.includes(look)))
    .map(({ name }) => ({ secret: name, place }));
}

import { createHash } from 'node:crypto';
import type { EntityMetadata } from '@slack/types';

/** What Slack accepts in `external_ref.id`. Undocumented; a card's ID may contain anything else. */
const ACCEPTED = /^(?!=)[0-9a-zA-Z\-_:!/=]{1,255}$/;
/** Longest ID that is encoded so that it can be read back, in bytes. */
const ENCODED_MAX_BYTES = 180;
const ENCODED = /^=([\w-]+)$/;
const TYPE = 'card';

/**
 * The card's ID in Slack's form. It must never change for a card: by it, Slack finds other conversations about the
 * same card.
 */
export function referenceTo(cardId: string): EntityMetadata['external_ref'] {
  return { id: ACCEPTED.test(cardId) ? cardId : encoded(Buffer.from(cardId)), type: TYPE };
}

const encoded = (bytes: Buffer): string =>
  bytes.length <= ENCODED_MAX_BYTES
    ? `=${bytes.toString('base64url')}`
    : `==${createHash('sha256').update(bytes).digest('base64url')}`;

/** The card that a reference names; undefined if it isn't one of ours, or only a digest. */
export function cardIdIn(
  reference: { id: string; type?: string | undefined } | undefined,
): string | undefined {
  if (reference?.type !== TYPE || reference.id.startsWith('==')) return undefined;
  const bytes = ENCODED.exec(reference.id)?.[1];
  return bytes === undefined ? reference.id : Buffer.from(bytes, 'base64url').toString();
}

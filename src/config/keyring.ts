import { z } from 'zod';
import { list } from './list.ts';

export type EncryptionKey = { id: string; key: Uint8Array };

/** AES-256 (`sealed-box.ts`). */
const ENCRYPTION_KEY_BYTES = 32;
/** In place of a key's bytes: it is gone for good. */
const LOST = 'lost';

const entry = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,32}:[A-Za-z0-9+/]+={0,2}$/, 'must be made of id:base64 entries.')
  .transform((text) => {
    const [id = '', value = ''] = text.split(':');
    return { id, key: value === LOST ? undefined : new Uint8Array(Buffer.from(value, 'base64')) };
  })
  .refine(
    ({ key }) => key === undefined || key.length === ENCRYPTION_KEY_BYTES,
    'must hold 32 bytes in each key.',
  );

/** ENCRYPTION_KEYS: the first seals, all open; `id:lost` names one that nobody has any more. */
export const keyringSetting = list(entry)
  .refine(
    (entries) => new Set(entries.map(({ id }) => id)).size === entries.length,
    'names one id twice.',
  )
  .refine(([first]) => first?.key !== undefined, 'must begin with a key that is not lost.')
  .transform((entries) => ({
    encryptionKeys: entries.flatMap(({ id, key }): EncryptionKey[] => (key ? [{ id, key }] : [])),
    lostKeyIds: entries.filter(({ key }) => key === undefined).map(({ id }) => id),
  }));

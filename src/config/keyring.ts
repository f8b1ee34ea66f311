import { z } from 'zod';

export type EncryptionKey = { id: string; key: Uint8Array };

/** For AES-256 (`store/encryption/sealed-box.ts`). */
const ENCRYPTION_KEY_BYTES = 32;
/** Written in place of a lost key. */
const LOST = 'lost';

/** A setting with one or more values, separated by commas. */
export const list = <Value>(item: z.ZodType<Value, string>) =>
  z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean),
    )
    .pipe(z.array(item).min(1, 'is empty.'));

const entry = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,32}:[A-Za-z0-9+/]+={0,2}$/, 'must consist of id:base64 entries.')
  .transform((text) => {
    const [id = '', value = ''] = text.split(':');
    return { id, key: value === LOST ? undefined : new Uint8Array(Buffer.from(value, 'base64')) };
  })
  .refine(
    ({ key }) => key === undefined || key.length === ENCRYPTION_KEY_BYTES,
    'must have 32 bytes in each key.',
  );

/** ENCRYPTION_KEYS: the first encrypts, all decrypt; `id:lost` names a lost one. */
export const keyringSetting = list(entry)
  .refine(
    (entries) => new Set(entries.map(({ id }) => id)).size === entries.length,
    'has the same ID twice.',
  )
  .refine(([first]) => first?.key !== undefined, 'must begin with a key that is not lost.')
  .transform((entries) => ({
    /** At least one. */
    encryptionKeys: entries.flatMap(({ id, key }): EncryptionKey[] => (key ? [{ id, key }] : [])),
    lostKeyIds: entries.filter(({ key }) => key === undefined).map(({ id }) => id),
  }));

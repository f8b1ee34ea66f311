import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSealedBox, SealError } from '../../src/store/encryption/sealed-box.ts';
import { anyCharacter } from '../any-text.ts';
import { encryptionKey } from './stores-under-test.ts';

const SECRET = 'dsk_live_0123456789abcdef';
const box = createSealedBox([encryptionKey('k1')]);

const secretText = fc.string({ unit: anyCharacter });
const ownerText = fc.string({ unit: anyCharacter, minLength: 1 });

const REFUSED = { name: 'SealError', reason: 'refused' };

describe('an encrypted secret', () => {
  it('is decrypted for its owner, for any text', async () => {
    await fc.assert(
      fc.asyncProperty(secretText, ownerText, async (secret, owner) => {
        expect(await box.open(await box.seal(secret, owner), owner)).toBe(secret);
      }),
    );
  });

  it('is decrypted for nobody else', async () => {
    await fc.assert(
      fc.asyncProperty(ownerText, ownerText, async (owner, other) => {
        fc.pre(owner !== other);
        const sealed = await box.seal(SECRET, owner);
        await expect(box.open(sealed, other)).rejects.toMatchObject(REFUSED);
      }),
    );
  });

  it('doesn’t contain the secret, and looks different every time', async () => {
    const sealed = await box.seal(SECRET, 'T1/api-key');
    expect(sealed).not.toContain(SECRET);
    expect(sealed).not.toContain(Buffer.from(SECRET).toString('base64url'));
    expect(await box.seal(SECRET, 'T1/api-key')).not.toBe(sealed);
  });
});

describe('a modified record', () => {
  it('decrypts to nothing but the same secret if any bit of its text was flipped', async () => {
    const sealed = Buffer.from(await box.seal(SECRET, 'T1/api-key'));
    await fc.assert(
      fc.asyncProperty(fc.nat(sealed.length * 8 - 1), async (bit) => {
        const forged = Buffer.from(sealed);
        forged.writeUInt8(forged.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        // The last letter of base64 text may contain unused bits, and spaces are ignored.
        const opened = await box.open(forged.toString(), 'T1/api-key').catch((error: unknown) => {
          expect(error).toBeInstanceOf(SealError);
          return SECRET;
        });
        expect(opened).toBe(SECRET);
      }),
      { numRuns: 300 },
    );
  });

  it('is refused for another owner, whatever owner it names itself', async () => {
    const record = JSON.parse(await box.seal(SECRET, 'T1'));
    const moved = JSON.stringify({ ...record, aad: Buffer.from('T2').toString('base64url') });
    await expect(box.open(moved, 'T2')).rejects.toMatchObject(REFUSED);
    const honest = JSON.stringify(record);
    await expect(box.open(honest, 'T2')).rejects.toMatchObject(REFUSED);
  });

  it.each(['', 'null', '[]', '{}', '"text"', 'dsk_plain', '{"protected":"e30"}'])(
    'is refused if it isn’t a record at all: %s',
    async (sealed) => {
      await expect(box.open(sealed, 'T1')).rejects.toMatchObject(REFUSED);
    },
  );
});

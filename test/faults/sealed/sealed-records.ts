import { randomBytes } from 'node:crypto';
import type { EncryptionKey } from '../../../src/config/keyring.ts';
import type { OwnerId } from '../../../src/installations/workspace-id.ts';
import { type Database, migrate } from '../../../src/store/database.ts';
import type { DatabaseLocation } from '../../../src/store/database-location.ts';
import { SealError } from '../../../src/store/encryption/sealed-box.ts';
import { createStores } from '../../../src/store/stores.ts';
import { workspaceNamed } from '../../installations/ids.ts';
import { newInstall } from '../../store/installation-suite.ts';
import { encryptionKey } from '../../store/stores-under-test.ts';
import type { Chance } from '../random.ts';
import { withDatabase } from '../with-database.ts';

/** The encrypted secrets, by workspace. */
export type Secrets = Map<OwnerId, string>;

const SECRET_BYTES = 32;

/** Encrypts a secret for each of this many workspaces with the app, in an empty database. */
export function sealAll(
  location: DatabaseLocation,
  key: EncryptionKey,
  count: number,
): Promise<Secrets> {
  return withDatabase(location, async (db) => {
    await migrate(db);
    const { keys, installations } = createStores(db, [key]);
    const secrets: Secrets = new Map();
    for (let workspace = 0; workspace < count; workspace += 1) {
      // Data of workspaces without the app is deleted when the app starts.
      const id = workspaceNamed(`T${workspace}`);
      await installations.save(newInstall(id), new Date());
      const secret = `dsk_${randomBytes(SECRET_BYTES).toString('base64url')}`;
      secrets.set(id, secret);
      await keys.save(id, secret, undefined, new Date());
    }
    return secrets;
  });
}

/** How many of the workspaces' records name this key. */
export async function countSealedWith(
  db: Database,
  { id }: EncryptionKey,
  secrets: Secrets,
): Promise<number> {
  const rows = await db.selectFrom('api_keys').select(['workspaceId', 'sealedKey']).execute();
  const ours = rows.filter(({ workspaceId }) => secrets.has(workspaceId));
  return ours.filter(({ sealedKey }) => keyIdOf(String(sealedKey)) === id).length;
}

/** A record is a JWE, which names its key in the protected header. */
function keyIdOf(sealed: string): unknown {
  const header = String(JSON.parse(sealed).protected);
  return JSON.parse(Buffer.from(header, 'base64url').toString()).kid;
}

type Opened = Map<OwnerId, string | SealError>;

/** What a store gives for each workspace: its secret, or the error. */
async function openEach(
  db: Database,
  keyring: readonly EncryptionKey[],
  secrets: Secrets,
): Promise<Opened> {
  const { keys } = createStores(db, keyring);
  const opened: Opened = new Map();
  for (const workspace of secrets.keys()) {
    opened.set(workspace, await openOne(() => keys.open(workspace)));
  }
  return opened;
}

async function openOne(open: () => Promise<{ key: string } | undefined>) {
  try {
    return (await open())?.key ?? '';
  } catch (error) {
    if (error instanceof SealError) return error;
    throw error;
  }
}

export async function countUnreadable(
  location: DatabaseLocation,
  keyring: readonly EncryptionKey[],
  secrets: Secrets,
): Promise<number> {
  const opened = await withDatabase(location, (db) => openEach(db, keyring, secrets));
  return [...secrets].filter(([workspace, secret]) => opened.get(workspace) !== secret).length;
}

/** How many forged records, of each kind, were decrypted. */
export type Forged = { unknownKey: number; flipped: number; flips: number; swapped: number };

/** How they are forged: one bit at a time, this many times in each record. */
type Forging = { secrets: Secrets; chance: Chance; flipsARecord: number };

/** Tries a key that encrypted nothing, flipped bits, and the records of other workspaces; the last stay. */
export function countForged(
  location: DatabaseLocation,
  keyring: readonly EncryptionKey[],
  forging: Forging,
): Promise<Forged> {
  const { secrets } = forging;
  const wasOpened = (result: string | SealError) => !(result instanceof SealError);
  return withDatabase(location, async (db) => {
    const strange = await openEach(db, [encryptionKey('stranger')], secrets);
    const { forged, tried } = await openFlipped(db, keyring, forging);
    const originals = await tamper(db, secrets, (sealed) => sealed);
    const workspaces = [...secrets.keys()];
    await tamper(db, secrets, (_, workspace) => {
      const next = workspaces[(workspaces.indexOf(workspace) + 1) % workspaces.length];
      return (next && originals.get(next)) ?? '';
    });
    const swapped = await openEach(db, keyring, secrets);
    return {
      unknownKey: [...strange.values()].filter(wasOpened).length,
      flipped: forged,
      flips: tried,
      swapped: [...swapped.values()].filter(wasOpened).length,
    };
  });
}

/** Changes records as anyone with access to the database could. @returns what they were before */
function tamper(
  db: Database,
  secrets: Secrets,
  change: (sealed: string, workspace: OwnerId) => string,
): Promise<Map<OwnerId, string>> {
  return db.transaction().execute(async (tx) => {
    const before = new Map<OwnerId, string>();
    const rows = await tx.selectFrom('api_keys').select(['workspaceId', 'sealedKey']).execute();
    for (const { workspaceId: workspace, sealedKey: sealed } of rows) {
      if (!secrets.has(workspace)) continue;
      before.set(workspace, String(sealed));
      await tx
        .updateTable('api_keys')
        .set({ sealedKey: change(String(sealed), workspace) })
        .where('workspaceId', '=', workspace)
        .execute();
    }
    return before;
  });
}

async function openFlipped(
  db: Database,
  keyring: readonly EncryptionKey[],
  { secrets, chance, flipsARecord }: Forging,
) {
  let forged = 0;
  let tried = 0;
  for (let flip = 0; flip < flipsARecord; flip += 1) {
    const originals = await tamper(db, secrets, (sealed) => {
      const bytes = Buffer.from(sealed);
      const at = chance.below(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << chance.below(7));
      return bytes.toString();
    });
    const opened = await openEach(db, keyring, secrets);
    // The last letters of base64 contain unused bits: such a record is the same record.
    forged += [...opened].filter(
      ([workspace, result]) => !(result instanceof SealError) && result !== secrets.get(workspace),
    ).length;
    tried += opened.size;
    await tamper(db, secrets, (_, workspace) => originals.get(workspace) ?? '');
  }
  return { forged, tried };
}

import { randomBytes } from 'node:crypto';
import type { EncryptionKey } from '../../src/config/keyring.ts';
import type { OwnerId } from '../../src/installations/workspace-id.ts';
import { type Database, migrate } from '../../src/store/database.ts';
import type { DatabaseLocation } from '../../src/store/database-location.ts';
import { createStores } from '../../src/store/stores.ts';
import { withDatabase } from '../faults/with-database.ts';
import { workspaceNamed } from '../installations/ids.ts';
import { newInstall } from '../store/installation-suite.ts';

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

/** How many of the secrets can't be decrypted with these keys. */
export async function countUnreadable(
  location: DatabaseLocation,
  keyring: readonly EncryptionKey[],
  secrets: Secrets,
): Promise<number> {
  return withDatabase(location, async (db) => {
    const { keys } = createStores(db, keyring);
    let unreadable = 0;
    for (const [workspace, secret] of secrets) {
      const opened = await keys.open(workspace).catch(() => undefined);
      if (opened?.key !== secret) unreadable += 1;
    }
    return unreadable;
  });
}

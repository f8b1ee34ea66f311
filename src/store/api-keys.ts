import { createHash } from 'node:crypto';
import type { OrganizationId, OwnerId } from '../installations/workspace-id.ts';
import type { Database } from './database.ts';
import { ownerOfSecret } from './encryption/keyring.ts';
import type { SealedBox } from './encryption/sealed-box.ts';
import type { Row } from './tables.ts';

/** What may be shown of a key. */
export type ApiKeyRecord = Omit<Row<'api_keys'>, 'workspaceId' | 'sealedKey'> & {
  /** The organization, if this is its default key and the workspace has none of its own. */
  ofOrganization?: OrganizationId | undefined;
};

export type ApiKeyStore = ReturnType<typeof createApiKeyStore>;

const LAST_FOUR = 4;
/** The last four characters of a shorter key would reveal too much. */
const SHORTEST_KEY_WITH_LAST_FOUR = 12;
const FINGERPRINT_HEX_DIGITS = 16;

/** Identifies a key without revealing it, for caches and metrics. */
export function fingerprintOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, FINGERPRINT_HEX_DIGITS);
}

export function createApiKeyStore(db: Database, box: SealedBox) {
  const rowOf = async (ownerId: OwnerId, key: string, connectedBy: string | null, now: Date) => ({
    state: 'active' as const,
    sealedKey: await box.seal(key, ownerOfSecret(ownerId, 'api-key')),
    lastFour: key.length >= SHORTEST_KEY_WITH_LAST_FOUR ? key.slice(-LAST_FOUR) : '',
    fingerprint: fingerprintOf(key),
    connectedBy,
    changedAt: now,
  });

  const find = (ownerId: OwnerId) => db.selectFrom('api_keys').where('workspaceId', '=', ownerId);

  const change = (ownerId: OwnerId) =>
    db.updateTable('api_keys').where('workspaceId', '=', ownerId).returning('workspaceId');

  return {
    /** Exactly this owner's key; undefined if none was ever connected. */
    async describe(ownerId: OwnerId): Promise<ApiKeyRecord | undefined> {
      return find(ownerId)
        .select(['state', 'lastFour', 'fingerprint', 'connectedBy', 'changedAt'])
        .executeTakeFirst();
    },

    /** The key itself; undefined unless it is active. @throws SealError if it can't be decrypted */
    async open(ownerId: OwnerId) {
      const row = await find(ownerId).selectAll().executeTakeFirst();
      if (row?.state !== 'active' || !row.sealedKey || !row.fingerprint) return undefined;
      const key = await box.open(row.sealedKey, ownerOfSecret(ownerId, 'api-key'));
      return { key, fingerprint: row.fingerprint };
    },

    async save(ownerId: OwnerId, key: string, connectedBy: string | undefined, now: Date) {
      const row = await rowOf(ownerId, key, connectedBy ?? null, now);
      await db
        .insertInto('api_keys')
        .values({ workspaceId: ownerId, ...row })
        .onConflict((conflict) => conflict.column('workspaceId').doUpdateSet(row))
        .execute();
    },

    /** Stores a key only if none was ever connected. */
    async seed(ownerId: OwnerId, key: string, now: Date) {
      const added = await db
        .insertInto('api_keys')
        .values({ workspaceId: ownerId, ...(await rowOf(ownerId, key, null, now)) })
        .onConflict((conflict) => conflict.column('workspaceId').doNothing())
        .returning('workspaceId')
        .execute();
      return added.length > 0;
    },

    /** @returns whether this call changed it: of several, one does */
    async markRejected(ownerId: OwnerId, fingerprint: string, now: Date) {
      const changed = await change(ownerId)
        .set({ state: 'rejected', changedAt: now })
        .where('fingerprint', '=', fingerprint)
        .where('state', '=', 'active')
        .execute();
      return changed.length > 0;
    },

    /** Deletes the key; `seed` then adds no other. @returns false if there was none */
    async disconnect(ownerId: OwnerId, now: Date) {
      const changed = await change(ownerId)
        .set({ state: 'disconnected', changedAt: now })
        .set({ sealedKey: null, lastFour: null, fingerprint: null })
        .where('state', '!=', 'disconnected')
        .execute();
      return changed.length > 0;
    },
  };
}

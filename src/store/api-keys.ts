import { createHash } from 'node:crypto';
import type { Database } from './database.ts';
import type { SealedTable } from './keyring.ts';
import type { SealedBox } from './sealed-box.ts';

export type ApiKeyRecord = {
  state: 'active' | 'rejected' | 'disconnected';
  lastFour?: string | undefined;
  fingerprint?: string | undefined;
  connectedBy?: string | undefined;
  changedAt: Date;
  /** The organisation whose default it is, where the workspace has none of its own. */
  ofOrganisation?: string | undefined;
};

export type OpenedApiKey = { key: string; fingerprint: string };

export type ApiKeyStore = {
  /** What may be shown of a workspace's key, or undefined where none was ever connected. */
  describe(workspaceId: string): Promise<ApiKeyRecord | undefined>;
  /**
   * The key itself, for calls to the service; undefined unless it is active.
   *
   * @throws SealError where the stored record can't be opened
   */
  open(workspaceId: string): Promise<OpenedApiKey | undefined>;
  /** Keeps a key, sealed, in place of any earlier one. */
  save(workspaceId: string, key: string, connectedBy: string | undefined, now: Date): Promise<void>;
  /** Keeps a key only where the workspace never had one, nor disconnected one. */
  seed(workspaceId: string, key: string, now: Date): Promise<boolean>;
  /** @returns true for the caller whose call changed it: a key is marked, and told of, once */
  markRejected(workspaceId: string, fingerprint: string, now: Date): Promise<boolean>;
  /** Removes the key; that it was disconnected is remembered. @returns false where there was none */
  disconnect(workspaceId: string, now: Date): Promise<boolean>;
};

const LAST_FOUR = 4;
/** A short key would be told by its last characters. */
const SHORTEST_KEY_WITH_LAST_FOUR = 12;
const FINGERPRINT_HEX_DIGITS = 16;

/** Names a key without saying it: for caches and metrics. */
export function fingerprintOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, FINGERPRINT_HEX_DIGITS);
}

const ownerOf = (workspaceId: string) => `${workspaceId}/api-key`;

export function createApiKeyStore(db: Database, box: SealedBox): ApiKeyStore {
  async function rowOf(
    workspaceId: string,
    key: string,
    connectedBy: string | undefined,
    now: Date,
  ) {
    return {
      state: 'active' as const,
      sealed_key: await box.seal(key, ownerOf(workspaceId)),
      last_four: key.length >= SHORTEST_KEY_WITH_LAST_FOUR ? key.slice(-LAST_FOUR) : '',
      fingerprint: fingerprintOf(key),
      connected_by: connectedBy ?? null,
      changed_at: now.getTime(),
    };
  }

  const find = (workspaceId: string) =>
    db
      .selectFrom('api_keys')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirst();

  return {
    async describe(workspaceId) {
      const row = await find(workspaceId);
      if (!row) return undefined;
      return {
        state: row.state,
        lastFour: row.last_four ?? undefined,
        fingerprint: row.fingerprint ?? undefined,
        connectedBy: row.connected_by ?? undefined,
        changedAt: new Date(row.changed_at),
      };
    },

    async open(workspaceId) {
      const row = await find(workspaceId);
      if (row?.state !== 'active' || !row.sealed_key || !row.fingerprint) return undefined;
      const key = await box.open(row.sealed_key, ownerOf(workspaceId));
      return { key, fingerprint: row.fingerprint };
    },

    async save(workspaceId, key, connectedBy, now) {
      const row = await rowOf(workspaceId, key, connectedBy, now);
      await db
        .insertInto('api_keys')
        .values({ workspace_id: workspaceId, ...row })
        .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(row))
        .execute();
    },

    async seed(workspaceId, key, now) {
      const row = await rowOf(workspaceId, key, undefined, now);
      const added = await db
        .insertInto('api_keys')
        .values({ workspace_id: workspaceId, ...row })
        .onConflict((conflict) => conflict.column('workspace_id').doNothing())
        .returning('workspace_id')
        .execute();
      return added.length > 0;
    },

    async markRejected(workspaceId, fingerprint, now) {
      const changed = await db
        .updateTable('api_keys')
        .set({ state: 'rejected', changed_at: now.getTime() })
        .where('workspace_id', '=', workspaceId)
        .where('fingerprint', '=', fingerprint)
        .where('state', '=', 'active')
        .returning('workspace_id')
        .execute();
      return changed.length > 0;
    },

    async disconnect(workspaceId, now) {
      const changed = await db
        .updateTable('api_keys')
        .set({
          state: 'disconnected',
          sealed_key: null,
          last_four: null,
          fingerprint: null,
          changed_at: now.getTime(),
        })
        .where('workspace_id', '=', workspaceId)
        .where('state', '!=', 'disconnected')
        .returning('workspace_id')
        .execute();
      return changed.length > 0;
    },
  };
}

/** The API keys as records that a change of the encryption key seals again. */
export function sealedApiKeys(db: Database): SealedTable {
  return {
    async list(afterWorkspaceId, limit) {
      const rows = await db
        .selectFrom('api_keys')
        .select(['workspace_id', 'sealed_key'])
        .where('sealed_key', 'is not', null)
        .where('workspace_id', '>', afterWorkspaceId)
        .orderBy('workspace_id')
        .limit(limit)
        .execute();
      return rows.map(({ workspace_id: workspaceId, sealed_key }) => ({
        workspaceId,
        owner: ownerOf(workspaceId),
        sealed: sealed_key ?? '',
      }));
    },

    replace: (records) =>
      db.transaction().execute(async (tx) => {
        for (const { workspaceId, sealed, by } of records) {
          await tx
            .updateTable('api_keys')
            .set({ sealed_key: by })
            .where('workspace_id', '=', workspaceId)
            .where('sealed_key', '=', sealed)
            .execute();
        }
      }),
  };
}

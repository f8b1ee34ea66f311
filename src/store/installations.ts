import { randomUUID } from 'node:crypto';
import { CLOCKS_DIFFER_MS } from '../clock.ts';
import type { OwnerId, WorkspaceId } from '../installations/workspace-id.ts';
import type { Database } from './database.ts';
import { ownerOfSecret } from './encryption/keyring.ts';
import type { SealedBox } from './encryption/sealed-box.ts';
import type { InstallationsTable } from './schema.ts';

/** With token rotation, there is a refresh token, and the token expires. */
export type BotTokens = {
  token: string;
  refreshToken?: string | undefined;
  expiresAt?: Date | undefined;
};

export type Installation = BotTokens & {
  /** A workspace, or an organization, for all workspaces to which it gave the app. */
  id: OwnerId;
  botId: string | undefined;
  botUserId: string | undefined;
  scopes: string[];
  /** The person who installed the app. */
  installedBy: string | undefined;
  installedAt: Date;
  /** Different for every installation and for every renewed token. */
  version: string;
};

export type NewInstallation = Omit<Installation, 'installedAt' | 'version'>;

/** An installation as it was when it was read. */
type InstallVersion = Pick<Installation, 'id' | 'version'>;

type TokenColumns = Pick<
  InstallationsTable,
  'sealed_token' | 'sealed_refresh_token' | 'expires_at'
>;

export type InstallationStore = ReturnType<typeof createInstallationStore>;

/** No claim lasts longer. A later expiry was written before the clock was set back. */
const LONGEST_CLAIM_MS = 2 * CLOCKS_DIFFER_MS;

export function createInstallationStore(db: Database, box: SealedBox) {
  const find = (id: OwnerId) =>
    db.selectFrom('installations').selectAll().where('workspace_id', '=', id).executeTakeFirst();

  async function seal(
    id: OwnerId,
    { token, refreshToken, expiresAt }: BotTokens,
  ): Promise<TokenColumns> {
    return {
      sealed_token: await box.seal(token, ownerOfSecret(id, 'bot-token')),
      sealed_refresh_token:
        refreshToken === undefined
          ? null
          : await box.seal(refreshToken, ownerOfSecret(id, 'refresh-token')),
      expires_at: expiresAt?.getTime() ?? null,
    };
  }

  /** Undefined if there are none. */
  async function unseal(
    id: OwnerId,
    {
      sealed_token: token,
      sealed_refresh_token: refreshToken,
      expires_at: expiresAt,
    }: TokenColumns,
  ): Promise<BotTokens | undefined> {
    if (!token) return undefined;
    return {
      token: await box.open(token, ownerOfSecret(id, 'bot-token')),
      refreshToken: refreshToken
        ? await box.open(refreshToken, ownerOfSecret(id, 'refresh-token'))
        : undefined,
      expiresAt: expiresAt === null ? undefined : new Date(expiresAt),
    };
  }

  async function put(id: OwnerId, row: Omit<InstallationsTable, 'workspace_id' | 'version'>) {
    const install = { ...row, version: randomUUID() };
    await db
      .insertInto('installations')
      .values({ workspace_id: id, ...install })
      .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(install))
      .execute();
  }

  const exactly = ({ id, version }: InstallVersion) =>
    db.updateTable('installations').where('workspace_id', '=', id).where('version', '=', version);

  return {
    /** Stores an installation with encrypted tokens, in place of any previous one. */
    async save(installation: NewInstallation, now: Date) {
      const { id, botId, botUserId, scopes, installedBy } = installation;
      await put(id, {
        ...(await seal(id, installation)),
        refreshing_until: null,
        bot_id: botId ?? null,
        bot_user_id: botUserId ?? null,
        scopes: scopes.join(','),
        installed_by: installedBy ?? null,
        installed_at: now.getTime(),
      });
    },

    /** Stores that a workspace has the app, without a token: that is in SLACK_BOT_TOKEN. */
    saveWithoutToken: (workspaceId: WorkspaceId, now: Date) =>
      put(workspaceId, {
        sealed_token: null,
        sealed_refresh_token: null,
        expires_at: null,
        bot_id: null,
        bot_user_id: null,
        scopes: null,
        installed_by: null,
        installed_at: now.getTime(),
        refreshing_until: null,
      }),

    /**
     * Returns the installation with its tokens; undefined if there is none, or none with a token.
     *
     * @throws SealError if the tokens can't be decrypted
     */
    async open(id: OwnerId): Promise<Installation | undefined> {
      const row = await find(id);
      const tokens = row && (await unseal(id, row));
      if (!tokens) return undefined;
      return {
        id,
        ...tokens,
        botId: row.bot_id ?? undefined,
        botUserId: row.bot_user_id ?? undefined,
        scopes: row.scopes?.split(',').filter(Boolean) ?? [],
        installedBy: row.installed_by ?? undefined,
        installedAt: new Date(row.installed_at),
        version: row.version,
      };
    },

    /** Returns the installation without its tokens. */
    async describe(id: OwnerId) {
      const row = await db
        .selectFrom('installations')
        .select(['installed_by', 'installed_at', 'version', 'refreshing_until'])
        .where('workspace_id', '=', id)
        .executeTakeFirst();
      if (!row) return undefined;
      const { installed_by, installed_at, version, refreshing_until } = row;
      return {
        installedBy: installed_by ?? undefined,
        installedAt: new Date(installed_at),
        version,
        /** No process may exchange the refresh token before then, except the one that claimed it. */
        refreshingUntil: refreshing_until === null ? undefined : new Date(refreshing_until),
      };
    },

    async list() {
      const rows = await db.selectFrom('installations').select('workspace_id').execute();
      return rows.map(({ workspace_id }) => workspace_id);
    },

    /** The installations whose tokens expire before then. */
    async listExpiring(before: Date) {
      const rows = await db
        .selectFrom('installations')
        .select('workspace_id')
        .where('expires_at', '<', before.getTime())
        .execute();
      return rows.map(({ workspace_id }) => workspace_id);
    },

    /**
     * Claims the exchange of the refresh token: of several processes, one succeeds.
     *
     * @param until when the claim expires
     * @returns false if another process has the claim, or has exchanged the token
     */
    async claimRefresh(install: InstallVersion, until: Date, now: Date) {
      const claimed = await exactly(install)
        .set({ refreshing_until: until.getTime() })
        .where((eb) =>
          eb.or([
            eb('refreshing_until', 'is', null),
            eb('refreshing_until', '<=', now.getTime()),
            eb('refreshing_until', '>', now.getTime() + LONGEST_CLAIM_MS),
          ]),
        )
        .returning('workspace_id')
        .execute();
      return claimed.length > 0;
    },

    /** Prevents further attempts until then. */
    async postponeRefresh(install: InstallVersion, until: Date) {
      await exactly(install).set({ refreshing_until: until.getTime() }).execute();
    },

    /** @returns false if the app was reinstalled or uninstalled meanwhile; the tokens are useless then */
    async saveTokens(install: InstallVersion, tokens: BotTokens) {
      const row = await seal(install.id, tokens);
      const saved = await exactly(install)
        .set({ ...row, refreshing_until: null, version: randomUUID() })
        .returning('workspace_id')
        .execute();
      return saved.length > 0;
    },

    /** Deletes only this installation, if the workspace also has the app through its organization. */
    async remove({ id, version }: InstallVersion) {
      await db
        .deleteFrom('installations')
        .where('workspace_id', '=', id)
        .where('version', '=', version)
        .execute();
    },
  };
}

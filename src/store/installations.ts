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

type TokenColumns = Pick<InstallationsTable, 'sealedToken' | 'sealedRefreshToken' | 'expiresAt'>;

export type InstallationStore = ReturnType<typeof createInstallationStore>;

/** No claim lasts longer. A later expiry was written before the clock was set back. */
const LONGEST_CLAIM_MS = 2 * CLOCKS_DIFFER_MS;

export function createInstallationStore(db: Database, box: SealedBox) {
  const find = (id: OwnerId) =>
    db.selectFrom('installations').selectAll().where('workspaceId', '=', id).executeTakeFirst();

  async function seal(
    id: OwnerId,
    { token, refreshToken, expiresAt }: BotTokens,
  ): Promise<TokenColumns> {
    return {
      sealedToken: await box.seal(token, ownerOfSecret(id, 'bot-token')),
      sealedRefreshToken:
        refreshToken === undefined
          ? null
          : await box.seal(refreshToken, ownerOfSecret(id, 'refresh-token')),
      expiresAt: expiresAt?.getTime() ?? null,
    };
  }

  /** Undefined if there are none. */
  async function unseal(
    id: OwnerId,
    { sealedToken: token, sealedRefreshToken: refreshToken, expiresAt }: TokenColumns,
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

  async function put(id: OwnerId, row: Omit<InstallationsTable, 'workspaceId' | 'version'>) {
    const install = { ...row, version: randomUUID() };
    await db
      .insertInto('installations')
      .values({ workspaceId: id, ...install })
      .onConflict((conflict) => conflict.column('workspaceId').doUpdateSet(install))
      .execute();
  }

  const exactly = ({ id, version }: InstallVersion) =>
    db.updateTable('installations').where('workspaceId', '=', id).where('version', '=', version);

  return {
    /** Stores an installation with encrypted tokens, in place of any previous one. */
    async save(installation: NewInstallation, now: Date) {
      const { id, botId, botUserId, scopes, installedBy } = installation;
      await put(id, {
        ...(await seal(id, installation)),
        refreshingUntil: null,
        botId: botId ?? null,
        botUserId: botUserId ?? null,
        scopes: scopes.join(','),
        installedBy: installedBy ?? null,
        installedAt: now.getTime(),
      });
    },

    /** Stores that a workspace has the app, without a token: that is in SLACK_BOT_TOKEN. */
    saveWithoutToken: (workspaceId: WorkspaceId, now: Date) =>
      put(workspaceId, {
        sealedToken: null,
        sealedRefreshToken: null,
        expiresAt: null,
        botId: null,
        botUserId: null,
        scopes: null,
        installedBy: null,
        installedAt: now.getTime(),
        refreshingUntil: null,
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
        botId: row.botId ?? undefined,
        botUserId: row.botUserId ?? undefined,
        scopes: row.scopes?.split(',').filter(Boolean) ?? [],
        installedBy: row.installedBy ?? undefined,
        installedAt: new Date(row.installedAt),
        version: row.version,
      };
    },

    /** Returns the installation without its tokens. */
    async describe(id: OwnerId) {
      const row = await db
        .selectFrom('installations')
        .select(['installedBy', 'installedAt', 'version', 'refreshingUntil'])
        .where('workspaceId', '=', id)
        .executeTakeFirst();
      if (!row) return undefined;
      const { installedBy, installedAt, version, refreshingUntil } = row;
      return {
        installedBy: installedBy ?? undefined,
        installedAt: new Date(installedAt),
        version,
        /** No process may exchange the refresh token before then, except the one that claimed it. */
        refreshingUntil: refreshingUntil === null ? undefined : new Date(refreshingUntil),
      };
    },

    async list() {
      const rows = await db.selectFrom('installations').select('workspaceId').execute();
      return rows.map(({ workspaceId }) => workspaceId);
    },

    /** The installations whose tokens expire before then. */
    async listExpiring(before: Date) {
      const rows = await db
        .selectFrom('installations')
        .select('workspaceId')
        .where('expiresAt', '<', before.getTime())
        .execute();
      return rows.map(({ workspaceId }) => workspaceId);
    },

    /**
     * Claims the exchange of the refresh token: of several processes, one succeeds.
     *
     * @param until when the claim expires
     * @returns false if another process has the claim, or has exchanged the token
     */
    async claimRefresh(install: InstallVersion, until: Date, now: Date) {
      const claimed = await exactly(install)
        .set({ refreshingUntil: until.getTime() })
        .where((eb) =>
          eb.or([
            eb('refreshingUntil', 'is', null),
            eb('refreshingUntil', '<=', now.getTime()),
            eb('refreshingUntil', '>', now.getTime() + LONGEST_CLAIM_MS),
          ]),
        )
        .returning('workspaceId')
        .execute();
      return claimed.length > 0;
    },

    /** Prevents further attempts until then. */
    async postponeRefresh(install: InstallVersion, until: Date) {
      await exactly(install).set({ refreshingUntil: until.getTime() }).execute();
    },

    /** @returns false if the app was reinstalled or uninstalled meanwhile; the tokens are useless then */
    async saveTokens(install: InstallVersion, tokens: BotTokens) {
      const row = await seal(install.id, tokens);
      const saved = await exactly(install)
        .set({ ...row, refreshingUntil: null, version: randomUUID() })
        .returning('workspaceId')
        .execute();
      return saved.length > 0;
    },

    /** Deletes only this installation, if the workspace also has the app through its organization. */
    async remove({ id, version }: InstallVersion) {
      await db
        .deleteFrom('installations')
        .where('workspaceId', '=', id)
        .where('version', '=', version)
        .execute();
    },
  };
}

import { randomUUID } from 'node:crypto';
import { CLOCKS_DIFFER_MS } from '../clock.ts';
import type { OwnerId, WorkspaceId } from '../installations/workspace-id.ts';
import { type BotTokens, openTokens, sealTokens } from './bot-tokens.ts';
import type { Database } from './database.ts';
import type { SealedBox } from './encryption/sealed-box.ts';
import type { InstallationsTable } from './schema.ts';

export type Installation = BotTokens & {
  /** A workspace, or an organisation: then for all of its workspaces that it gave the app. */
  id: OwnerId;
  botId: string | undefined;
  botUserId: string | undefined;
  scopes: string[];
  /** The person who installed the app. */
  installedBy: string | undefined;
  installedAt: Date;
  /** Tells this install, with these tokens, from every other. */
  version: string;
};

export type NewInstallation = Omit<Installation, 'installedAt' | 'version'>;

/** An install as it was when it was read. */
type InstallVersion = Pick<Installation, 'id' | 'version'>;

export type InstallationStore = {
  /** Keeps an install in place of any earlier one, its tokens sealed. */
  save(installation: NewInstallation, now: Date): Promise<void>;
  /** Remembers that the app is in a workspace whose token is not kept here. */
  saveWithoutToken(workspaceId: WorkspaceId, now: Date): Promise<void>;
  /**
   * The install with its tokens; undefined where there is none, or none with a token.
   *
   * @throws SealError where the stored tokens can't be opened
   */
  open(id: OwnerId): Promise<Installation | undefined>;
  /** Which install there is, without its tokens. */
  describe(id: OwnerId): Promise<Pick<Installation, 'installedAt' | 'version'> | undefined>;
  /** Ids of all installs. */
  list(): Promise<OwnerId[]>;
  /** Ids of the installs whose tokens expire before a moment. */
  listExpiring(before: Date): Promise<OwnerId[]>;
  /**
   * Asks for the right to exchange the refresh token, until a moment: of all who ask, one gets it.
   *
   * @returns false where somebody else has it, or has exchanged the token already
   */
  claimRefresh(install: InstallVersion, until: Date, now: Date): Promise<boolean>;
  /** Nobody tries again before that moment. */
  postponeRefresh(install: InstallVersion, until: Date): Promise<void>;
  /** @returns false where the app was installed anew, or removed, since: the tokens are of no use then */
  saveTokens(install: InstallVersion, tokens: BotTokens): Promise<boolean>;
  /** Removes an install alone, where the workspace has the app by another one too. */
  remove(install: InstallVersion): Promise<void>;
};

/** Nobody holds the right to exchange a token for longer; whoever seems to did before the clock was set back. */
const LONGEST_HOLD_MS = 2 * CLOCKS_DIFFER_MS;

export function createInstallationStore(db: Database, box: SealedBox): InstallationStore {
  const find = (id: OwnerId) =>
    db.selectFrom('installations').selectAll().where('workspace_id', '=', id).executeTakeFirst();

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
    async save(installation, now) {
      const { id, botId, botUserId, scopes, installedBy } = installation;
      await put(id, {
        ...(await sealTokens(box, id, installation)),
        refreshing_until: null,
        bot_id: botId ?? null,
        bot_user_id: botUserId ?? null,
        scopes: scopes.join(','),
        installed_by: installedBy ?? null,
        installed_at: now.getTime(),
      });
    },

    saveWithoutToken: (workspaceId, now) =>
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

    async open(id) {
      const row = await find(id);
      const tokens = row && (await openTokens(box, id, row));
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

    async describe(id) {
      const row = await db
        .selectFrom('installations')
        .select(['installed_at', 'version'])
        .where('workspace_id', '=', id)
        .executeTakeFirst();
      return row && { installedAt: new Date(row.installed_at), version: row.version };
    },

    async list() {
      const rows = await db.selectFrom('installations').select('workspace_id').execute();
      return rows.map(({ workspace_id }) => workspace_id);
    },

    async listExpiring(before) {
      const rows = await db
        .selectFrom('installations')
        .select('workspace_id')
        .where('expires_at', '<', before.getTime())
        .execute();
      return rows.map(({ workspace_id }) => workspace_id);
    },

    async claimRefresh(install, until, now) {
      const claimed = await exactly(install)
        .set({ refreshing_until: until.getTime() })
        .where((eb) =>
          eb.or([
            eb('refreshing_until', 'is', null),
            eb('refreshing_until', '<=', now.getTime()),
            eb('refreshing_until', '>', now.getTime() + LONGEST_HOLD_MS),
          ]),
        )
        .returning('workspace_id')
        .execute();
      return claimed.length > 0;
    },

    async postponeRefresh(install, until) {
      await exactly(install).set({ refreshing_until: until.getTime() }).execute();
    },

    async saveTokens(install, tokens) {
      const row = await sealTokens(box, install.id, tokens);
      const saved = await exactly(install)
        .set({ ...row, refreshing_until: null, version: randomUUID() })
        .returning('workspace_id')
        .execute();
      return saved.length > 0;
    },

    async remove({ id, version }) {
      await db
        .deleteFrom('installations')
        .where('workspace_id', '=', id)
        .where('version', '=', version)
        .execute();
    },
  };
}

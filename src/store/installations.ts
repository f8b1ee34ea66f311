import { randomUUID } from 'node:crypto';
import type { OwnerId } from '../installations/workspace-id.ts';
import type { Database } from './database.ts';
import { ownerOfSecret } from './encryption/keyring.ts';
import type { SealedBox } from './encryption/sealed-box.ts';
import type { Row } from './tables.ts';

/** `refreshToken` and `expiresAt` only with token rotation. */
export type BotTokens = {
  token: string;
  refreshToken?: string | undefined;
  expiresAt?: Date | undefined;
};

/** Of a workspace, or of an organization for all workspaces to which it gave the app. */
export type Installation = BotTokens &
  Pick<Row<'installations'>, 'botUserId' | 'installedBy' | 'installedAt' | 'version'> & {
    id: OwnerId;
    scopes: string[];
  };

/** Without a token if that is in SLACK_BOT_TOKEN. */
export type NewInstallation = Partial<Omit<Installation, 'installedAt' | 'version'>> & {
  id: OwnerId;
};

type InstallVersion = Pick<Installation, 'id' | 'version'>;

export type InstallationStore = ReturnType<typeof createInstallationStore>;

export function createInstallationStore(db: Database, box: SealedBox) {
  const all = () => db.selectFrom('installations').select('workspaceId');
  const find = (id: OwnerId) => db.selectFrom('installations').where('workspaceId', '=', id);

  const exactly = ({ id, version }: InstallVersion) =>
    db
      .updateTable('installations')
      .where((eb) => eb.and({ workspaceId: id, version }))
      .returning('workspaceId');

  async function seal(id: OwnerId, { token, refreshToken, expiresAt }: Partial<BotTokens>) {
    const sealed = (kind: 'bot-token' | 'refresh-token', secret = '') =>
      secret ? box.seal(secret, ownerOfSecret(id, kind)) : null;
    return {
      sealedToken: await sealed('bot-token', token),
      sealedRefreshToken: await sealed('refresh-token', refreshToken),
      expiresAt: expiresAt ?? null,
      refreshingUntil: null,
      version: randomUUID(),
    };
  }

  return {
    async save({ id, botUserId, scopes, installedBy, ...tokens }: NewInstallation, now: Date) {
      const row = {
        ...(await seal(id, tokens)),
        botUserId: botUserId ?? null,
        scopes: scopes?.join(',') ?? null,
        installedBy: installedBy ?? null,
        installedAt: now,
      };
      await db
        .insertInto('installations')
        .values({ workspaceId: id, ...row })
        .onConflict((conflict) => conflict.column('workspaceId').doUpdateSet(row))
        .execute();
    },

    /** With its own token or with SLACK_BOT_TOKEN; undefined if it has neither. @throws SealError */
    async open(id: OwnerId, botToken?: string): Promise<Installation | undefined> {
      const row = await find(id)
        .select(['sealedToken', 'sealedRefreshToken', 'expiresAt', 'version'])
        .select(['botUserId', 'scopes', 'installedBy', 'installedAt'])
        .executeTakeFirst();
      if (!row) return undefined;
      const { sealedToken, sealedRefreshToken, scopes, ...others } = row;
      const token = sealedToken
        ? await box.open(sealedToken, ownerOfSecret(id, 'bot-token'))
        : botToken;
      if (!token) return undefined;
      return {
        ...others,
        id,
        token,
        refreshToken:
          sealedRefreshToken &&
          (await box.open(sealedRefreshToken, ownerOfSecret(id, 'refresh-token'))),
        scopes: scopes?.split(',').filter(Boolean) ?? [],
      };
    },

    describe: (id: OwnerId) =>
      find(id).select(['installedBy', 'installedAt', 'version']).executeTakeFirst(),

    async list() {
      const rows = await all().execute();
      return rows.map(({ workspaceId }) => workspaceId);
    },

    async listExpiring(before: Date) {
      const rows = await all().where('expiresAt', '<', before).execute();
      return rows.map(({ workspaceId }) => workspaceId);
    },

    /** Only one process may exchange the refresh token. @returns false if another does, or has */
    async claimRefresh(install: InstallVersion, until: Date, now: Date) {
      const claimed = await exactly(install)
        .set({ refreshingUntil: until })
        .where((eb) => eb.or([eb('refreshingUntil', 'is', null), eb('refreshingUntil', '<=', now)]))
        .execute();
      return claimed.length > 0;
    },

    /** For the start on SQLite, when no other process can hold a claim. */
    async endClaims() {
      await db
        .updateTable('installations')
        .set({ refreshingUntil: null })
        .where('refreshingUntil', 'is not', null)
        .execute();
    },

    /** @returns false if the app was reinstalled or uninstalled: the tokens are useless then */
    async saveTokens(install: InstallVersion, tokens: BotTokens) {
      const saved = await exactly(install)
        .set(await seal(install.id, tokens))
        .execute();
      return saved.length > 0;
    },

    /** Keeps the data: the workspace still has the app through its organization. */
    async remove({ id, version }: InstallVersion) {
      await db
        .deleteFrom('installations')
        .where((eb) => eb.and({ workspaceId: id, version }))
        .execute();
    },
  };
}

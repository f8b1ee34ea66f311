import type { OwnerId } from '../installations/workspace-id.ts';
import type { Database } from './database.ts';
import type { SealedTable } from './encryption/keyring.ts';
import type { SealedBox } from './encryption/sealed-box.ts';
import type { InstallationsTable } from './schema.ts';

/** With token rotation, there is a refresh token, and the token expires. */
export type BotTokens = {
  token: string;
  refreshToken?: string | undefined;
  expiresAt?: Date | undefined;
};

type TokenColumns = Pick<
  InstallationsTable,
  'sealed_token' | 'sealed_refresh_token' | 'expires_at'
>;

const tokenOwner = (id: OwnerId) => `${id}/bot-token`;
const refreshTokenOwner = (id: OwnerId) => `${id}/refresh-token`;

/** Encrypts tokens, bound to the workspace or organization with this ID. */
export async function sealTokens(
  box: SealedBox,
  id: OwnerId,
  { token, refreshToken, expiresAt }: BotTokens,
): Promise<TokenColumns> {
  return {
    sealed_token: await box.seal(token, tokenOwner(id)),
    sealed_refresh_token:
      refreshToken === undefined ? null : await box.seal(refreshToken, refreshTokenOwner(id)),
    expires_at: expiresAt?.getTime() ?? null,
  };
}

/**
 * Decrypts the tokens of a row; undefined if it has none.
 *
 * @throws SealError if they can't be decrypted
 */
export async function openTokens(
  box: SealedBox,
  id: OwnerId,
  row: TokenColumns,
): Promise<BotTokens | undefined> {
  const { sealed_token: token, sealed_refresh_token: refreshToken, expires_at: expiresAt } = row;
  if (!token) return undefined;
  return {
    token: await box.open(token, tokenOwner(id)),
    refreshToken: refreshToken ? await box.open(refreshToken, refreshTokenOwner(id)) : undefined,
    expiresAt: expiresAt === null ? undefined : new Date(expiresAt),
  };
}

/** The encrypted tokens, for changing the encryption key. */
export const sealedTokens = (db: Database): SealedTable[] => [
  sealedColumn(db, 'sealed_token', tokenOwner),
  sealedColumn(db, 'sealed_refresh_token', refreshTokenOwner),
];

function sealedColumn(
  db: Database,
  column: 'sealed_token' | 'sealed_refresh_token',
  ownerOf: (id: OwnerId) => string,
): SealedTable {
  return {
    async list(afterId, limit) {
      const rows = await db
        .selectFrom('installations')
        .select(['workspace_id', column])
        .where(column, 'is not', null)
        .where((eb) => eb(eb.ref('workspace_id').$castTo<string>(), '>', afterId))
        .orderBy('workspace_id')
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        id: row.workspace_id,
        owner: ownerOf(row.workspace_id),
        sealed: row[column] ?? '',
      }));
    },

    replace: (records) =>
      db.transaction().execute(async (tx) => {
        for (const { id, sealed, by } of records) {
          await tx
            .updateTable('installations')
            .set({ [column]: by })
            .where('workspace_id', '=', id)
            .where(column, '=', sealed)
            .execute();
        }
      }),
  };
}

import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { EncryptionKey } from '../../src/config/keyring.ts';
import type { OwnerId } from '../../src/installations/workspace-id.ts';
import { createLog } from '../../src/ops/logging.ts';
import type { Database } from '../../src/store/database.ts';
import { type EntryKey, onceKind } from '../../src/store/entries.ts';
import type { ClaimedJob, JobStore } from '../../src/store/jobs.ts';
import type { Stores } from '../../src/store/stores.ts';

/** The stores of a fresh database, which ends with the test. */
export type StoresUnderTest = {
  stores: Stores;
  /** For checking what the stores wrote. */
  db: Database;
  /** What the stores logged. */
  logLines: string[];
  /** The same database as a second process opens it, perhaps with other keys. */
  openAgain(keyring?: readonly EncryptionKey[]): Promise<Stores>;
};

/** Every suite in this folder runs on any database opened by such a function. */
export type OpenStores = (keyring?: readonly EncryptionKey[]) => Promise<StoresUnderTest>;

export const logTo = (lines: string[]) =>
  createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } });

const KEY_BYTES = 32;

export const encryptionKey = (id: string): EncryptionKey => ({
  id,
  key: new Uint8Array(randomBytes(KEY_BYTES)),
});

/** The keyring as in ENCRYPTION_KEYS. */
export const keyringSetting = (keyring: readonly EncryptionKey[]): string =>
  keyring.map(({ id, key }) => `${id}:${Buffer.from(key).toString('base64')}`).join(',');

/** A time in the tests: this many seconds after their start. */
export const at = (seconds: number): Date =>
  new Date(Date.parse('2026-03-02T09:00:00Z') + seconds * 1000);

/** Claims the job that comes next. */
export const claimOne = async (
  jobs: Pick<JobStore, 'claim'>,
  now: Date,
): Promise<ClaimedJob | undefined> => (await jobs.claim(now, 1))[0];

/** The same if there must be one. */
export async function claimNext(jobs: Pick<JobStore, 'claim'>, now: Date): Promise<ClaimedJob> {
  const claimed = await claimOne(jobs, now);
  if (!claimed) throw new Error('no job could be claimed');
  return claimed;
}

const KIND = onceKind('for_tests');

/** Names an entry of a kind that the app doesn't have. */
export const once = (owner: OwnerId, name: string): EntryKey<true> => ({ kind: KIND, owner, name });

/** @throws if the database doesn't answer */
export async function isReachable(db: Database): Promise<boolean> {
  await sql`select 1`.execute(db);
  return true;
}

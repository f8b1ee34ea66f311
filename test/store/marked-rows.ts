import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import type { WorkspaceId } from '../../src/installations/workspace-id.ts';
import type { Database } from '../../src/store/database.ts';
import type { Stores } from '../../src/store/stores.ts';
import { newRequest } from './request-suite.ts';
import { once } from './stores-under-test.ts';

const MOST_BYTES = 1_000_000_000;

/**
 * How often a text occurs in the files of a folder. They are read by another process: SQLite's locks are the
 * process's, and closing a file here would give them up.
 */
export async function marksIn(folder: string, mark: string): Promise<number> {
  const names = await readdir(folder);
  const { stdout } = await promisify(execFile)('cat', names, {
    cwd: folder,
    encoding: 'latin1',
    maxBuffer: MOST_BYTES,
  });
  return stdout.split(mark).length - 1;
}

/**
 * Writes requests, jobs and small rows of several workspaces in turn, which name their workspace in every text and
 * ID. Their IDs are in no order and requests grow later, as real ones do, so SQLite moves rows among pages.
 */
export async function writeMarkedRows(
  { db, stores }: { db: Database; stores: Stores },
  { rows, owners, now }: { rows: number; owners: readonly WorkspaceId[]; now: Date },
): Promise<void> {
  const { requests, jobTable, entries } = stores;
  // Nothing here is about losing power, and each row would wait for the disk.
  await sql`pragma synchronous = off`.execute(db);
  for (let row = 0; row < rows; row += 1) {
    const workspaceId = owners[row % owners.length] as WorkspaceId;
    const mark = `${workspaceId}-${createHash('sha256').update(`${row}`).digest('hex').slice(0, 8)}`;
    const { form, ...request } = newRequest(`request-${mark}`);
    const title = `A banner for ${mark}. `.repeat(row % 50 === 0 ? 2_000 : 5);
    const userId = `U-${mark}`;
    const full = { ...request, form: { ...form, title }, workspaceId, userId };
    await requests.add({ ...full, reference: `DR-${mark}` }, now);
    const job = { kind: 'test', workspaceId, payload: { title }, identity: `event/${mark}` };
    await jobTable.add(job, now);
    const created = { cardId: `card-${mark}`.repeat(1 + (row % 7)) };
    await requests.changeState({ workspaceId, id: full.id }, ['queued'], 'created', created, now);
    await entries.takeOnce(once(workspaceId, userId), now);
  }
}

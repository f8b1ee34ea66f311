import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { lockDatabase } from '../../src/store/database.ts';
import { makeMigratedFile } from '../store/migrated-file.ts';
import { openForTest, temporaryFolder } from '../store/sqlite-files.ts';
import { runCommand } from './entry.ts';

const ENDED_WELL = { code: 0, signal: null };

it('npm run app -- backup leaves nothing if it is interrupted, otherwise the copy; restore waits until no other process uses the database', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'app.db');
  const target = join(folder, 'copy.db');
  await makeMigratedFile(path);
  const db = openForTest(path);
  // So that a copy takes a while.
  await sql`create table ballast as select randomblob(60000000) as bytes`.execute(db);
  await db.destroy();
  const run = (name: string) =>
    runCommand(name, { args: [target], env: { DATABASE_URL: `sqlite:${path}` } });

  const interrupted = run('backup');
  while (!existsSync(`${target}.unfinished`)) await sleep(1);
  interrupted.kill('SIGTERM');
  expect(await interrupted.ended).toEqual({ code: 1, signal: null });
  expect((await readdir(folder)).filter((name) => name.startsWith('copy.db'))).toEqual([]);

  expect(await run('backup').ended).toEqual(ENDED_WELL);
  expect(await readdir(folder)).toEqual(['app.db', 'app.db.last-backup', 'copy.db']);

  const lock = await lockDatabase({ path });
  const restore = run('restore');
  await expect
    .poll(restore.stderr, { timeout: 10_000 })
    .toBe(
      `Another process is using the database ${path}; \`lsof ${path}.lock\` shows which. Waiting 15 s for it to stop.\n`,
    );
  lock[Symbol.dispose]();
  expect(await restore.ended).toEqual(ENDED_WELL);
});

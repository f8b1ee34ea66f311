import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { lockDatabase } from '../../src/store/database.ts';
import { makeMigratedFile } from '../store/migrated-file.ts';
import { openForTest, temporaryFolder } from '../store/sqlite-files.ts';
import { openSetting } from './app.ts';
import { runCommand } from './entry.ts';

/** A database without a running app, large enough that a copy takes a while, and `npm run app -- backup` of it. */
async function backupOfLargeDatabase() {
  const folder = await temporaryFolder();
  const path = join(folder, 'app.db');
  await makeMigratedFile(path);
  const db = openForTest(path);
  await sql`create table ballast as select randomblob(60000000) as bytes`.execute(db);
  await db.destroy();
  const target = join(folder, 'copy.db');
  const run = () =>
    runCommand('backup', { args: [target], env: { DATABASE_URL: `sqlite:${path}` } });
  return { folder, target, run };
}

describe('npm run app -- restore', { timeout: 60_000 }, () => {
  it('says at once that another process uses the database, and goes on when that ends', async () => {
    const { folder, target, run } = await backupOfLargeDatabase();
    expect(await run().ended).toEqual({ code: 0, signal: null });
    const path = join(folder, 'app.db');
    const { env } = await openSetting();
    const lock = await lockDatabase({ path });
    const restore = runCommand('restore', {
      args: [target],
      env: { ...env, DATABASE_URL: `sqlite:${path}` },
    });
    await expect
      .poll(restore.stderr, { timeout: 10_000 })
      .toBe(
        `Another process is using the database ${path}; \`lsof ${path}.lock\` shows which. Waiting 15 s for it to stop.\n`,
      );
    lock[Symbol.dispose]();
    expect(await restore.ended).toEqual({ code: 0, signal: null });
  });
});

describe('npm run app -- backup', { timeout: 60_000 }, () => {
  it('creates the copy, and notes when, and nothing else', async () => {
    const { folder, run } = await backupOfLargeDatabase();
    expect(await run().ended).toEqual({ code: 0, signal: null });
    expect(await readdir(folder)).toEqual(['app.db', 'app.db.last-backup', 'copy.db']);
  });

  it('leaves nothing if it is interrupted', async () => {
    const { folder, target, run } = await backupOfLargeDatabase();
    const backup = run();
    while (!existsSync(`${target}.unfinished`)) await sleep(1);
    backup.kill('SIGTERM');
    expect(await backup.ended).toEqual({ code: 1, signal: null });
    const left = await readdir(folder);
    expect(left.filter((name) => name.startsWith('copy.db'))).toEqual([]);
  });
});

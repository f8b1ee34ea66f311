import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { lockSqlite } from '../../src/store/sqlite/process-lock.ts';
import { startOn, temporaryFolder } from './sqlite-files.ts';

it('names a migration that fails, leaves nothing half done, and releases the SQLite file', async () => {
  const folder = await temporaryFolder();
  const database = { path: join(folder, 'app.db') };
  // Conflicts with a table that the first migration creates late.
  const before = openDatabase(database);
  await sql`create table audit_entries (something text)`.execute(before);
  await before.destroy();
  await expect(startOn(database.path)).rejects.toThrow(
    'The migration 0001-baseline failed: table "audit_entries"',
  );
  const lock = await lockSqlite(database.path, () => undefined, 0);
  lock[Symbol.dispose]();
  // An open connection would have left its log beside the file.
  expect(await readdir(folder)).not.toContain('app.db-wal');
  const after = openDatabase(database);
  await sql`drop table audit_entries`.execute(after);
  await after.destroy();
  await (await startOn(database.path)).close();
});

it('tells how to find the process that holds an SQLite file', async () => {
  const path = join(await temporaryFolder(), 'app.db');
  const module = new URL('../../src/store/sqlite/process-lock.ts', import.meta.url).href;
  const other = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { lockSqlite } from ${JSON.stringify(module)};
      await lockSqlite(${JSON.stringify(path)});
      console.log('locked');
      setInterval(() => undefined, 60_000);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void other.kill());
  await once(other.stdout, 'data');
  await expect(lockSqlite(path, () => undefined, 0)).rejects.toThrow(
    `Another process is using the database ${path}; \`lsof ${path}.lock\` shows which. Stop it first`,
  );
});

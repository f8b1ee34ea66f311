import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
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

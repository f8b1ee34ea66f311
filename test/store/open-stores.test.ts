import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/ops/logging.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openStores } from '../../src/store/open-stores.ts';
import { lockSqlite } from '../../src/store/sqlite/process-lock.ts';
import { temporaryFolder } from './sqlite-files.ts';
import { encryptionKey } from './stores-under-test.ts';

it('releases an SQLite file if its tables can’t be migrated', async () => {
  const folder = await temporaryFolder();
  const database = { path: join(folder, 'app.db') };
  const open = () =>
    openStores(
      { database, encryptionKeys: [encryptionKey('k1')], lostKeyIds: [] },
      createLog({ level: 'silent' }),
    );
  // Conflicts with a table that the first migration creates.
  const before = openDatabase(database);
  await sql`create table audit_entries (something text)`.execute(before);
  await before.destroy();
  await expect(open()).rejects.toThrow('The migration 0001-baseline failed');
  const lock = await lockSqlite(database.path, () => undefined, 0);
  lock[Symbol.dispose]();
  // An open connection would have left its log beside the file.
  expect(await readdir(folder)).not.toContain('app.db-wal');
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

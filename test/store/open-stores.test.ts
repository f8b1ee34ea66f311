import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createLog } from '../../src/ops/logging.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openStores } from '../../src/store/open-stores.ts';
import { takeProcessLock } from '../../src/store/sqlite/process-lock.ts';
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
  const lock = await takeProcessLock(database.path, { waitMs: 0 });
  expect(lock).toBeDefined();
  lock?.release();
  // An open connection would have left its log beside the file.
  expect(await readdir(folder)).not.toContain('app.db-wal');
});

it('says within a minute that the database was moved, also if nobody uses it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const path = join(await temporaryFolder(), 'app.db');
  const { close } = await openStores(
    { database: { path }, encryptionKeys: [encryptionKey('k1')], lostKeyIds: [] },
    createLog({ level: 'info', destination }),
  );
  onTestFinished(close);
  const said = () => lines.filter((line) => line.includes('was moved, replaced, or deleted'));
  vi.advanceTimersByTime(MINUTE_MS);
  expect(said()).toEqual([]);
  await rename(path, `${path}-moved`);
  vi.advanceTimersByTime(MINUTE_MS);
  expect(said()).toHaveLength(1);
  await rename(`${path}-moved`, path);
});

const MINUTE_MS = 60_000;

/** The pid is known on Linux only; elsewhere the message does without it. */
it('names the process that holds an SQLite file', async () => {
  const path = join(await temporaryFolder(), 'app.db');
  const module = new URL('../../src/store/sqlite/process-lock.ts', import.meta.url).href;
  const other = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { takeProcessLock } from ${JSON.stringify(module)};
      await takeProcessLock(${JSON.stringify(path)}, { waitMs: 0 });
      console.log('locked');
      setInterval(() => undefined, 60_000);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void other.kill());
  await once(other.stdout, 'data');
  const holders: unknown[] = [];
  const lock = await takeProcessLock(path, { waitMs: 0, onWait: (pid) => holders.push(pid) });
  expect(lock).toBeUndefined();
  expect(holders).toEqual([process.platform === 'linux' ? other.pid : undefined]);
});

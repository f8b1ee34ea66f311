import { execFile } from 'node:child_process';
import {
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { backUpDatabase, restoreDatabase } from '../../src/commands/backup.ts';
import { migrate } from '../../src/store/database.ts';
import { DatabaseError } from '../../src/store/database-location.ts';
import { createStores } from '../../src/store/stores.ts';
import { T1 } from '../installations/ids.ts';
import { makeMigratedFile } from '../store/migrated-file.ts';
import { newRequest } from '../store/request-suite.ts';
import { openForTest, temporaryFolder } from '../store/sqlite-files.ts';
import { once } from '../store/stores-under-test.ts';

const now = new Date('2026-05-01T10:00:00Z');
const keyring = [{ id: 'k1', key: new Uint8Array(32).fill(7) }];

/** SQLite's default. */
const PAGE_BYTES = 4096;

const KEY = 'the-api-key-1234';

/** A database with a key, open as in the app, and where its backup goes. */
async function liveDatabase() {
  const folder = await temporaryFolder();
  const [live, copy] = [join(folder, 'app.db'), join(folder, 'copy.db')];
  await makeMigratedFile(live);
  const db = openForTest(live);
  const stores = createStores(db, keyring);
  await stores.keys.save(T1, KEY, 'U1', now);
  return { folder, live, copy, db, ...stores };
}

const keyIn = async (path: string) =>
  (await createStores(openForTest(path), keyring).keys.open(T1))?.key;

function execute(path: string, statement: string): void {
  const db = new DatabaseSync(path);
  db.exec(statement);
  db.close();
}

describe('restoring a backup', () => {
  it('replaces the database, keeps the previous one, and asks about requests that were waiting to be sent', async () => {
    const { live, copy, db, requests } = await liveDatabase();
    for (const id of ['r1', 'r2']) await requests.add(newRequest(id), now);
    await requests.changeState(newRequest('r2'), ['queued'], 'created', {}, now);
    await backUpDatabase(live, copy);
    await requests.add(newRequest('r3'), now);
    await db.destroy();

    const { doubtful, keptAs } = await restoreDatabase(copy, live, now);
    expect(doubtful).toBe(1);
    const restored = createStores(openForTest(live), keyring);
    const listed = await restored.requests.listByAuthor(T1, 'U1', 10);
    expect(Object.fromEntries(listed.map(({ id, state }) => [id, state]))).toEqual({
      r1: 'in_doubt',
      r2: 'created',
    });
    expect(await keyIn(live)).toBe(KEY);

    const kept = openForTest(keptAs ?? '');
    expect((await createStores(kept, keyring).requests.get(T1, 'r3'))?.state).toBe('queued');
  });

  it.each<[string, (path: string, good: Buffer) => unknown, RegExp]>([
    ['a file that doesn’t exist', () => undefined, /^There is no backup at \S+\/b\.$/],
    ['a folder', (path) => mkdir(path), /^The backup \S+\/b is not a file\.$/],
    ['an empty file', (path) => writeFile(path, ''), /\/b is not a database of this app\. Try/],
    [
      'a truncated backup',
      (path, good) => writeFile(path, good.subarray(0, good.length / 2)),
      /\/b is damaged or not a database\. Try another backup\. Nothing was changed\.$/,
    ],
    [
      'a backup with an overwritten page',
      (path, good) => writeFile(path, good.fill(7, PAGE_BYTES * 2, PAGE_BYTES * 3)),
      /\/b is damaged\. Try another backup\. Nothing was changed\.$/,
    ],
    [
      'the database of another program',
      (path) => execute(path, 'create table notes (text)'),
      /\/b is not a database of this app\. Try another backup\. Nothing was changed\.$/,
    ],
    [
      'a backup of a newer version',
      async (path, good) => {
        await writeFile(path, good);
        execute(path, "insert into kysely_migration values ('9999-from-the-future', '')");
      },
      /\/b is from a newer version of the app: it has 9999-from-the-future\. Run .* Nothing was changed\.$/,
    ],
  ])('refuses %s, and changes nothing', async (_what, make, message) => {
    const path = await temporaryFolder();
    const live = join(path, 'app.db');
    await makeMigratedFile(live);
    const before = await readFile(live);
    const backup = join(path, 'b');
    await make(backup, await readFile(live));
    const failure = await restoreDatabase(backup, live, now).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DatabaseError);
    expect(String(failure).replace('DatabaseError: ', '')).toMatch(message);
    expect(await readFile(live)).toEqual(before);
    const left = (await readdir(path)).filter((name) => name.startsWith('app.db'));
    expect(left.filter((name) => name !== 'app.db.lock')).toEqual(['app.db']);
  });

  it('replaces no folder, and says so if one is in its way', async () => {
    const path = await temporaryFolder();
    const backup = join(path, 'b');
    await makeMigratedFile(backup);
    const other = join(path, 'other.db');
    await mkdir(`${other}.unfinished`);
    await expect(restoreDatabase(backup, other, now)).rejects.toThrow(
      /^The file \S+\/other\.db\.unfinished can't be removed: .*is a directory/,
    );
    await mkdir(join(path, 'app.db'));
    await expect(restoreDatabase(backup, join(path, 'app.db'), now)).rejects.toThrow(
      `The database ${path}/app.db is not a file.`,
    );
    expect((await stat(join(path, 'app.db'))).isDirectory()).toBe(true);
  });

  it('isn’t mixed with the log of the database that it replaces', async () => {
    const { folder, live, copy, db, keys } = await liveDatabase();
    await backUpDatabase(live, copy);
    await keys.save(T1, 'the-newer-key-5678', 'U1', now);
    // What is left when the app is killed.
    const log = await readFile(`${live}-wal`);
    await db.destroy();
    await writeFile(`${live}-wal`, log);
    const { keptAs } = await restoreDatabase(copy, live, now);
    expect(keptAs).not.toMatch(/-wal$/);
    expect(await keyIn(live)).toBe(KEY);
    expect((await readdir(folder)).filter((name) => /before-.*-wal$/.test(name))).toHaveLength(1);
  });

  it('isn’t mixed with the rollback journal of a database that was lost', async () => {
    const { folder, live, copy } = await liveDatabase();
    const killed = join(folder, 'killed');
    await backUpDatabase(live, copy);
    execute(copy, 'create table ballast as select randomblob(400000) as bytes');
    await copyFile(copy, killed);
    using writer = new DatabaseSync(killed);
    // More than fits into its cache, so it writes to the file before the end, and the journal can undo that.
    writer.exec('pragma journal_mode = delete; pragma cache_size = 5; begin; drop table ballast');
    writer.exec('create table other as select randomblob(900000) as bytes');
    await copyFile(`${killed}-journal`, `${live}-journal`);
    await rm(live);
    await restoreDatabase(copy, live, now);
    expect(await openForTest(live).introspection.getTables()).toContainEqual(
      expect.objectContaining({ name: 'ballast' }),
    );
    expect(await keyIn(live)).toBe(KEY);
    expect((await readdir(folder)).filter((name) => name.endsWith('-journal'))).toHaveLength(2);
  });

  it('is refused if the disk is full before everything is in the file', async () => {
    const { live, copy, db, requests } = await liveDatabase();
    for (let index = 0; index < 400; index += 1) await requests.add(newRequest(`r${index}`), now);
    await backUpDatabase(live, copy);
    await db.destroy();
    const before = await readFile(live);
    // The copy and the log of its changes fit, and the changed file, which is larger, doesn't (setrlimit(2)).
    const { size } = await stat(copy);
    const command = [process.execPath, 'src/commands/app.ts', 'restore', copy];
    const env = { DATABASE_URL: `sqlite:${live}` };
    await expect(
      promisify(execFile)('prlimit', [`--fsize=${size}`, ...command], { env }),
    ).rejects.toThrow(/can't be restored: .*\. Nothing was changed\./);
    expect(await readFile(live)).toEqual(before);
  });

  it('takes no file of the app itself for a backup, nor does a backup replace one', async () => {
    const path = await temporaryFolder();
    const [live, kept] = [join(path, 'app.db'), join(path, 'kept')];
    for (const file of [live, kept]) await makeMigratedFile(file);
    for (const own of [live, `${live}.unfinished`]) {
      await copyFile(kept, own);
      await expect(restoreDatabase(own, live, now)).rejects.toThrow('of the app itself, not a');
      expect((await stat(own)).isFile()).toBe(true);
    }
    const unfinished = join(path, 'b.unfinished');
    await copyFile(kept, unfinished);
    await expect(backUpDatabase(unfinished, join(path, 'b'))).rejects.toThrow(/app itself/);
    expect(await readdir(path)).toContain('b.unfinished');
    for (const own of ['.last-backup', '.lock', '.unfinished-wal']) {
      await rm(live + own, { force: true });
      await expect(backUpDatabase(live, live + own)).rejects.toThrow(/app itself\. Choose another/);
    }
  });

  it('can write to what it restores from a read-only file', async () => {
    const path = await temporaryFolder();
    const backup = join(path, 'b');
    await makeMigratedFile(backup);
    await chmod(backup, 0o400);
    await restoreDatabase(backup, join(path, 'app.db'), now);
    expect((await stat(join(path, 'app.db'))).mode & 0o777).toBe(0o600);
  });

  it.each(['kept', 'link'])('includes what is still in the write-ahead log: %s', async (name) => {
    const { folder, live, db } = await liveDatabase();
    // What a restore would keep of the previous database after the app was killed.
    for (const part of ['', '-wal']) await copyFile(live + part, join(folder, `kept${part}`));
    await db.destroy();
    await symlink(join(folder, 'kept'), join(folder, 'link'));
    const restored = join(folder, 'restored.db');
    await restoreDatabase(join(folder, name), restored, now);
    expect(await keyIn(restored)).toBe(KEY);
  });
});

describe('a backup', () => {
  it('ends while the app keeps writing, contains what was there when it started, and opens with the keyring', async () => {
    const { live, copy, db, entries } = await liveDatabase();
    // Several thousand pages: more than are copied before the next write.
    await sql`create table ballast as select randomblob(8000000) as bytes`.execute(db);
    await entries.takeOnce(once(T1, 'before'), now);
    let isMade = false;
    const writing = (async () => {
      for (let index = 0; !isMade; index += 1) {
        await entries.takeOnce(once(T1, `U${index}`), now);
        await new Promise(setImmediate);
      }
    })();
    await backUpDatabase(live, copy);
    isMade = true;
    await writing;
    const copied = openForTest(copy);
    expect(await migrate(copied)).toEqual([]);
    const stores = createStores(copied, keyring);
    expect(await stores.entries.get(once(T1, 'before'))).toBeDefined();
    expect(await keyIn(copy)).toBe(KEY);
  });

  it('is one file, and leaves nothing else beside itself, and beside the database only when it was made', async () => {
    const path = await temporaryFolder();
    const from = join(path, 'app.db');
    await makeMigratedFile(from);
    expect(await readdir(path)).toEqual(['app.db']);
    // A backup that was killed.
    for (const part of ['', '-wal', '-shm']) await writeFile(join(path, `b.unfinished${part}`), '');
    await backUpDatabase(from, join(path, 'b'));
    expect(await readdir(path)).toEqual(['app.db', 'app.db.last-backup', 'b']);
  });

  it('refuses to overwrite a file, to copy nothing, and to leave a damaged copy', async () => {
    const path = await temporaryFolder();
    const from = join(path, 'app.db');
    await expect(backUpDatabase(from, join(path, 'a'))).rejects.toThrow('There is no database');
    await writeFile(from, 'this is no database');
    await expect(backUpDatabase(from, join(path, 'a'))).rejects.toThrow(
      `The backup of ${from} failed: file is not a database.`,
    );
    expect(await readdir(path)).toEqual(['app.db']);
    await copyFile(from, join(path, 'b'));
    await expect(backUpDatabase(from, join(path, 'b'))).rejects.toThrow('already exists');
    await writeFile(from, '');
    await expect(backUpDatabase(from, join(path, 'a'))).rejects.toThrow(
      'the copy is not a database of this app',
    );
    await makeMigratedFile(join(path, 'good.db'));
    await expect(backUpDatabase(join(path, 'good.db'), join(path, 'nowhere/b'))).rejects.toThrow(
      `There is no folder ${path}/nowhere.`,
    );
    await mkdir(join(path, 'good.db.last-backup'));
    await expect(backUpDatabase(join(path, 'good.db'), join(path, 'whole'))).rejects.toThrow(
      `The backup ${path}/whole is complete, but its time can't be recorded: EISDIR`,
    );
    await writeFile(join(path, 'lost-wal'), '');
    await expect(backUpDatabase(join(path, 'good.db'), join(path, 'lost'))).rejects.toThrow(
      `${path}/lost-wal already exists. Choose another file.`,
    );
  });
});

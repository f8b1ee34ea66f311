import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { DatabaseError } from '../../src/store/database-location.ts';
import { isSafeSqlite } from '../../src/store/sqlite/dialect.ts';
import { createStores } from '../../src/store/stores.ts';
import { T1 } from '../installations/ids.ts';
import { bytesIn, temporaryDatabase, temporaryFolder } from './sqlite-files.ts';
import { at, encryptionKey } from './stores-under-test.ts';

it('a commit is on disk when it returns: write-ahead log, fully synchronous', async () => {
  const { db } = await temporaryDatabase();
  const { rows: journal } = await sql`pragma journal_mode`.execute(db);
  expect(journal).toEqual([{ journalMode: 'wal' }]);
  // 2 is FULL (https://www.sqlite.org/pragma.html#pragma_synchronous).
  const { rows: synchronous } = await sql`pragma synchronous`.execute(db);
  expect(synchronous).toEqual([{ synchronous: 2 }]);
});

it('the files on disk never contain a key in plain text, before or after it is replaced or deleted', async () => {
  const { db, folder } = await temporaryDatabase();
  const { keys } = createStores(db, [encryptionKey('k1')]);
  const secrets = ['dsk_first-0123456789', 'dsk_second-9876543210'];
  const looks = secrets.flatMap((secret) => [
    secret,
    secret.slice(4, -4),
    ...(['base64', 'hex'] as const).map((form) => Buffer.from(secret).toString(form).slice(4, 20)),
  ]);
  const steps = [
    () => keys.save(T1, secrets[0] ?? '', 'U1', at(0)),
    () => keys.save(T1, secrets[1] ?? '', 'U1', at(1)),
    () => keys.disconnect(T1, at(2)),
  ];
  for (const step of steps) {
    await step();
    const bytes = await bytesIn(folder);
    expect(bytes.includes(T1)).toBe(true);
    expect(looks.filter((look) => bytes.includes(look))).toEqual([]);
  }
});

it('an SQLite that can lose committed data is recognized', () => {
  const versions = ['3.51.3', '3.52.0', '4.0.0', '3.51.2', '3.9.9', '2.60.0'];
  expect(versions.map(isSafeSqlite)).toEqual([true, true, true, false, false, false]);
});

it.each<[string, (folder: string) => unknown, string, string]>([
  ['is a folder', () => undefined, '', 'EISDIR: illegal operation on a directory, open '],
  [
    'is below a file',
    (folder) => writeFile(join(folder, 'file'), ''),
    'file/app.db',
    'ENOTDIR: not a directory',
  ],
  [
    'is of another kind of file',
    (folder) =>
      writeFile(join(folder, 'a'), 'Dear diary, I was mistaken for a database.'.repeat(20)),
    'a',
    'file is not a database',
  ],
  [
    'the system denies',
    () => undefined,
    '/proc/nope/app.db',
    "ENOENT: no such file or directory, mkdir '/proc/nope'.",
  ],
])('an SQLite path that %s is refused with an explanation', async (_what, make, name, words) => {
  const folder = await temporaryFolder();
  await make(folder);
  const path = resolve(folder, name);
  const message = `The database ${path} in DATABASE_URL can't be opened: ${words}`;
  for (const refusal of [DatabaseError, message])
    expect(() => openDatabase({ path })).toThrow(refusal);
});

import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { backUpDatabase, restoreDatabase } from '../../src/commands/backup.ts';
import { openDatabase } from '../../src/store/database.ts';
import { createEntries } from '../../src/store/entries.ts';
import { refuseBesideSetAside, setAside } from '../../src/store/sqlite/path.ts';
import { T1 } from '../installations/ids.ts';
import { makeMigratedFile } from './migrated-file.ts';
import { openForTest, startOn, temporaryFolder } from './sqlite-files.ts';
import { at, once } from './stores-under-test.ts';

/** A database whose only entry is in its log, as after the app was killed, and a backup from before. */
async function killedApp() {
  const folder = await temporaryFolder();
  const [path, backup] = [join(folder, 'app.db'), join(folder, 'monday.db')];
  await makeMigratedFile(path);
  await backUpDatabase(path, backup);
  const db = openForTest(path);
  await createEntries(db).takeOnce(once(T1, 'U1'), at(0));
  const killed = join(folder, 'killed');
  for (const part of ['', '-wal']) await copyFile(path + part, killed + part);
  await db.destroy();
  for (const part of ['', '-wal']) await rename(killed + part, path + part);
  return { folder, path, backup };
}

const hasEntry = async (path: string) =>
  (await createEntries(openForTest(path)).get(once(T1, 'U1'))) !== undefined;

const filesIn = async (folder: string) =>
  (await readdir(folder)).filter((name) => !name.endsWith('.lock')).sort();

it('a restore that ended between its renames isn’t followed by an empty database', async () => {
  const { folder, path, backup } = await killedApp();
  const { keptAs = '' } = await restoreDatabase(backup, path, at(1));
  await rename(path, `${path}.unfinished`);
  const before = await filesIn(folder);
  const kept = basename(keptAs);
  await expect(startOn(path)).rejects.toThrow(
    `The database ${path} is missing, and these files are beside it: ${kept}, ${kept}-wal, app.db.unfinished. Put the database back, or run \`npm run app -- restore\` with a backup or the newest database named “before”. To begin with an empty one, move all of them to another folder.`,
  );
  expect(() => openDatabase({ path })).toThrow('is missing');
  expect(await filesIn(folder)).toEqual(before);

  const link = join(await temporaryFolder(), 'link.db');
  await symlink(path, link);
  expect(() => refuseBesideSetAside(link)).toThrow('is missing, and these files are beside it');

  // Each way that the message names works.
  await restoreDatabase(backup, path, at(2));
  expect(await hasEntry(path)).toBe(false);
  await restoreDatabase(keptAs, path, at(3));
  await mkdir(`${path}.unfinished`);
  await expect(startOn(path)).rejects.toThrow(`The file ${path}.unfinished can't be removed: `);
  await rm(`${path}.unfinished`, { recursive: true });
  // A copy of everything, which a restore that was killed leaves.
  await copyFile(backup, `${path}.unfinished`);
  await (await startOn(path)).close();
  expect(await hasEntry(path)).toBe(true);
  expect(existsSync(`${path}.unfinished`)).toBe(false);
  await mkdir(join(folder, 'elsewhere'));
  for (const file of await filesIn(folder)) {
    if (file.startsWith('app.db'))
      await rename(join(folder, file), join(folder, 'elsewhere', file));
  }
  await (await startOn(path)).close();
});

it.each([
  ['moved', 'before', 'is missing'],
  ['before', 'moved', 'was moved to Postgres'],
] as const)('a database that was first %s, then %s, %s', async (first, then, says) => {
  const path = join(await temporaryFolder(), 'app.db');
  await makeMigratedFile(path);
  const keptAs = setAside(path, first, at(1)) ?? '';
  await copyFile(keptAs, path);
  setAside(path, then, at(2));
  await expect(startOn(path)).rejects.toThrow(`The database ${path} ${says}`);
});

it.each([
  ['beside its old name, if it can’t be renamed', '-journal', ''],
  ['beside its new name, once it is renamed', '-shm', '.before-1970-01-01T00-00-01.000Z'],
])('a database has its log %s', async (_where, blocked, suffix) => {
  const { folder, path } = await killedApp();
  // No file, so that the step fails that reads or removes it.
  await mkdir(path + blocked);
  expect(() => setAside(path, 'before', new Date(1_000))).toThrow(
    / can't be (?:renamed|removed): /,
  );
  await rm(path + blocked, { recursive: true });
  expect(await hasEntry(path + suffix)).toBe(true);
  const others = (await filesIn(folder)).filter((name) => name.includes('.before-'));
  expect(others.every((name) => suffix && name.startsWith(basename(path + suffix)))).toBe(true);
});

it('a log whose database is lost is neither deleted at a start nor applied to an earlier database', async () => {
  const { folder, path, backup } = await killedApp();
  await rm(path);
  await expect(startOn(path)).rejects.toThrow(
    'these files are beside it: app.db-wal. Put the database back, or run',
  );
  const { keptAs } = await restoreDatabase(backup, path, at(1));
  expect(keptAs).toMatch(/app\.db\.before-.*-wal$/);
  expect(await hasEntry(path)).toBe(false);

  // A file that another program named similarly isn't ours.
  await copyFile(backup, `${keptAs}.gz`);
  await rm(path);
  const left = (await filesIn(folder)).filter((name) => /^app\.db-wal|before-.*-wal$/.test(name));
  await expect(startOn(path)).rejects.toThrow(
    `these files are beside it: ${left.join(', ')}. Put the`,
  );
});

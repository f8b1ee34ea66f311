import { existsSync } from 'node:fs';
import { copyFile, readdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { backUpDatabase, restoreDatabase } from '../../src/commands/backup.ts';
import { openDatabase } from '../../src/store/database.ts';
import { createEntries } from '../../src/store/entries.ts';
import { T1 } from '../installations/ids.ts';
import { makeMigratedFile } from './migrated-file.ts';
import { openForTest, startOn, temporaryFolder } from './sqlite-files.ts';
import { at, once } from './stores-under-test.ts';

/** A database with something in it, its backup, and a restore of that which ended right before its last rename. */
async function interruptedRestore() {
  const folder = await temporaryFolder();
  const [path, backup] = [join(folder, 'app.db'), join(folder, 'monday.db')];
  await makeMigratedFile(path);
  const db = openForTest(path);
  await createEntries(db).takeOnce(once(T1, 'U1'), at(0));
  await db.destroy();
  await backUpDatabase(path, backup);
  const { keptAs = '' } = await restoreDatabase(backup, path, at(1));
  await rename(path, `${path}.unfinished`);
  return { folder, path, backup, keptAs };
}

const hasEntry = async (path: string) =>
  (await createEntries(openForTest(path)).get(once(T1, 'U1'))) !== undefined;

it('a restore that ended between its renames isn’t followed by an empty database', async () => {
  const { folder, path, backup, keptAs } = await interruptedRestore();
  const before = (await readdir(folder)).filter((name) => !name.endsWith('.lock'));
  await expect(startOn(path)).rejects.toThrow(
    /^A restore of .* didn't end: the database is missing, and .*app\.db\.unfinished is beside it\. Run `npm run app -- restore` again, or rename app\.db\.before-.* to app\.db\.$/,
  );
  expect(() => openDatabase({ path })).toThrow("didn't end");
  expect((await readdir(folder)).filter((name) => !name.endsWith('.lock'))).toEqual(before);

  // Each way that the message names works.
  await restoreDatabase(backup, path, at(2));
  expect(await hasEntry(path)).toBe(true);
  await rename(path, `${path}.elsewhere`);
  await rename(keptAs, path);
  // A copy of everything, which a restore that was killed leaves.
  await copyFile(backup, `${path}.unfinished`);
  await (await startOn(path)).close();
  expect(await hasEntry(path)).toBe(true);
  expect(existsSync(`${path}.unfinished`)).toBe(false);
});

it('a restore that ended between its renames names the log of a previous database that the app didn’t close', async () => {
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
  const { keptAs = '' } = await restoreDatabase(backup, path, at(1));
  await rename(path, `${path}.unfinished`);
  const kept = basename(keptAs);
  await expect(startOn(path)).rejects.toThrow(
    `again, or rename ${kept} to app.db, and rename ${kept}-wal to app.db-wal.`,
  );
  for (const part of ['', '-wal']) await rename(keptAs + part, path + part);
  await (await startOn(path)).close();
  expect(await hasEntry(path)).toBe(true);
});

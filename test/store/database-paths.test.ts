import { link, mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { restoreDatabase } from '../../src/commands/backup.ts';
import { lockSqlite } from '../../src/store/sqlite/process-lock.ts';
import { createStores } from '../../src/store/stores.ts';
import { T1 } from '../installations/ids.ts';
import { openForTest, temporaryDatabase, temporaryFolder } from './sqlite-files.ts';
import { at, encryptionKey, once } from './stores-under-test.ts';

/** Takes the lock like an app that starts on this path; undefined if another app has it. */
async function lock(path: string) {
  const taken = await lockSqlite(path, () => undefined, 0).catch((error) => {
    if (/is using the database/.test(String(error))) return undefined;
    throw error;
  });
  onTestFinished(() => taken?.[Symbol.dispose]());
  return taken;
}

/** Its path, and links to files and folders, absolute and relative, all leading to one database. */
async function pathsTo(folder: string, file: string): Promise<string[]> {
  const path = join(folder, file);
  const elsewhere = await temporaryFolder();
  await symlink(path, join(elsewhere, 'absolute.db'));
  await symlink(relative(elsewhere, path), join(elsewhere, 'relative.db'));
  await symlink('absolute.db', join(elsewhere, 'link-to-a-link.db'));
  await symlink(folder, join(elsewhere, 'folder'));
  await mkdir(join(elsewhere, 'sub'));
  return [
    path,
    relative(process.cwd(), path),
    join(elsewhere, 'absolute.db'),
    join(elsewhere, 'relative.db'),
    join(elsewhere, 'link-to-a-link.db'),
    join(elsewhere, 'folder', file),
    join(elsewhere, 'sub', '..', 'folder', file),
  ];
}

describe('a second app', () => {
  it.each([
    ['in use', 'test.db'],
    ['that neither has created yet', 'new.db'],
  ])('can’t open a database %s through another path', async (_which, file) => {
    const { folder } = await temporaryDatabase();
    const [first = '', ...others] = (await pathsTo(folder, file)).toReversed();
    expect(await lock(first)).toBeDefined();
    for (const other of others) expect([other, await lock(other)]).toEqual([other, undefined]);
  });

  it('can open its own database with the same file name', async () => {
    expect(await lock((await temporaryDatabase()).path)).toBeDefined();
    expect(await lock((await temporaryDatabase()).path)).toBeDefined();
  });
});

it('a database with a hard link is refused, since SQLite would damage it', async () => {
  const { path, folder } = await temporaryDatabase();
  const other = join(folder, 'other.db');
  await link(path, other);
  await expect(lock(other)).rejects.toThrow(`${other} has a second name (a hard link)`);
  expect(() => openForTest(path)).toThrow('has a second name (a hard link)');
});

it('a circular link is refused with an explanation', async () => {
  const path = join(await temporaryFolder(), 'app.db');
  await symlink(path, path);
  await expect(lock(path)).rejects.toThrow(
    `The database ${path} in DATABASE_URL can't be opened: ELOOP`,
  );
});

it('restoring through a link replaces the link’s target, and keeps the link', async () => {
  const { db, path, folder } = await temporaryDatabase();
  await db.destroy();
  const backup = join(await temporaryFolder(), 'backup.db');
  await rename(path, backup);
  await writeFile(path, 'damaged');
  const byLink = join(await temporaryFolder(), 'app.db');
  await symlink(path, byLink);
  const { keptAs } = await restoreDatabase(backup, byLink, at(0));
  expect(keptAs).toContain(folder);
  const { entries } = createStores(openForTest(path), [encryptionKey('k1')]);
  expect(await entries.takeOnce(once(T1, 'U1'), at(0))).toBe(true);
  const throughLink = createStores(openForTest(byLink), [encryptionKey('k1')]);
  expect(await throughLink.entries.get(once(T1, 'U1'))).toBeDefined();
});

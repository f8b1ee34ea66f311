import { chmodSync } from 'node:fs';
import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { backUpDatabase, restoreDatabase } from '../../src/commands/backup.ts';
import { createLog } from '../../src/ops/logging.ts';
import { exposed, makePrivate, setMode } from '../../src/store/sqlite/private-files.ts';
import { T1 } from '../installations/ids.ts';
import { startOn, temporaryFolder } from './sqlite-files.ts';
import { at, once } from './stores-under-test.ts';

// With this mask, files created without an explicit mode are open to everyone.
beforeEach(() => {
  const before = process.umask(0);
  return () => void process.umask(before);
});

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

/** The mode of everything in a folder, by name. */
async function modesIn(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder);
  const modes = names.map(async (name) => [name, await modeOf(join(folder, name))] as const);
  return Object.fromEntries(await Promise.all(modes));
}

/** The stores as the app opens them, and its warnings. */
async function start(path: string) {
  const log: { msg: string; paths?: string[] }[] = [];
  const destination = { write: (line: string) => void log.push(JSON.parse(line)) };
  const { stores, close } = await startOn(path, createLog({ level: 'warn', destination }));
  let isClosed = false;
  const closeOnce = async () => {
    if (!isClosed) await close();
    isClosed = true;
  };
  onTestFinished(closeOnce);
  return { stores, close: closeOnce, log };
}

it('a file system that refuses chmod to the owner doesn’t stop anything, and is warned of', () => {
  // Linux refuses it for this file of ours.
  const path = '/proc/self/oom_score_adj';
  expect(() => chmodSync(path, 0o600)).toThrow('EPERM');
  makePrivate(path);
  setMode(path);
  expect(exposed([path])).toContain(path);
});

describe('what the app stores', () => {
  it('can’t be read by other users: its folders, and the files while it runs', async () => {
    const folder = await temporaryFolder();
    const { stores, log } = await start(join(folder, 'a', 'b', 'app.db'));
    await stores.entries.takeOnce(once(T1, 'U1'), at(0));
    expect(await modesIn(folder)).toEqual({ a: '700' });
    expect(await modesIn(join(folder, 'a'))).toEqual({ b: '700' });
    expect(await modesIn(join(folder, 'a', 'b'))).toEqual({
      'app.db': '600',
      'app.db-wal': '600',
      'app.db-shm': '600',
      'app.db.lock': '600',
    });
    expect(log).toEqual([]);
  });

  it('can’t be read by other users after the next start, if an earlier version stored it', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'app.db');
    const before = await start(path);
    for (const name of await readdir(folder)) await chmod(join(folder, name), 0o644);
    await before.close();
    await start(path);
    expect(new Set(Object.values(await modesIn(folder)))).toEqual(new Set(['600']));
  });

  it('stays private in backups, restored databases, and those that are set aside', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'app.db');
    const backup = join(folder, 'backup.db');
    const app = await start(path);
    await backUpDatabase(path, backup);
    expect(await modeOf(backup)).toBe('600');
    await app.close();
    for (const name of await readdir(folder)) await chmod(join(folder, name), 0o644);
    const { keptAs = '' } = await restoreDatabase(backup, path, at(0));
    expect([await modeOf(path), await modeOf(keptAs)]).toEqual(['600', '600']);
  });
});

it('an existing folder keeps its mode, and the log warns if others may write to it; they may read, since the files are private', async () => {
  for (const mode of [0o777, 0o755]) {
    const folder = join(await temporaryFolder(), 'data');
    await mkdir(folder, { mode });
    const { log } = await start(join(folder, 'app.db'));
    expect(await modeOf(folder)).toBe(mode.toString(8));
    expect(log).toMatchObject(mode === 0o777 ? [{ paths: [folder] }] : []);
  }
});

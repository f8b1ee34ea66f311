import { statSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/ops/logging.ts';
import { openStores } from '../../src/store/open-stores.ts';
import { createEraser } from '../../src/store/sqlite/erase.ts';
import { createStores } from '../../src/store/stores.ts';
import { workspaceNamed } from '../installations/ids.ts';
import { marksIn, writeMarkedRows } from './marked-rows.ts';
import { makeMigratedFile } from './migrated-file.ts';
import { once } from './once.ts';
import { temporaryDatabase, temporaryFolder } from './sqlite-files.ts';
import { at, encryptionKey } from './stores-under-test.ts';

const DEPARTED = workspaceNamed('T0DEPARTED');
const STAYING = workspaceNamed('T0STAYING');
const log = createLog({ level: 'silent' });

async function markedDatabase({ rows }: { rows: number }) {
  const { db, path, folder } = await temporaryDatabase();
  const stores = createStores(db, [encryptionKey('k1')]);
  await writeMarkedRows({ db, stores }, { rows, owners: [DEPARTED, STAYING], now: at(0) });
  expect(await marksIn(folder, DEPARTED)).toBeGreaterThan(rows);
  return { stores, path, folder };
}

function eraserOf(path: string, options = {}) {
  const eraser = createEraser(path, log, options);
  onTestFinished(() => eraser.end());
  return eraser;
}

function sizeOf(path: string) {
  const reader = new DatabaseSync(path, { readOnly: true });
  const pages = reader.prepare('pragma page_count').get()?.page_count;
  reader.close();
  return { pages, log: statSync(`${path}-wal`).size };
}

describe('what was deleted from an SQLite file', () => {
  it('is nowhere in its files: rows, long texts, indexes and the log', async () => {
    const { stores, path, folder } = await markedDatabase({ rows: 600 });
    const eraser = eraserOf(path);
    await stores.rows.deleteAll(DEPARTED, undefined);
    eraser.rewriteFile();
    await expect.poll(() => marksIn(folder, DEPARTED)).toBe(0);
    expect(await marksIn(folder, STAYING)).toBeGreaterThan(600);
  });

  it('is overwritten and out of the log of a file that is too large to be rewritten, too', async () => {
    // So few that no page is ever full.
    const { stores, path, folder } = await markedDatabase({ rows: 2 });
    const eraser = eraserOf(path, { largestRewritten: 0 });
    await stores.rows.deleteAll(DEPARTED, undefined);
    eraser.rewriteFile();
    await expect.poll(() => marksIn(folder, DEPARTED)).toBe(0);
  });

  it('is out of the log without rewriting the file', async () => {
    const { stores, path, folder } = await markedDatabase({ rows: 2 });
    const eraser = eraserOf(path);
    await stores.rows.deleteAll(DEPARTED, undefined);
    expect(await marksIn(folder, DEPARTED)).toBeGreaterThan(0);
    const { pages } = sizeOf(path);
    eraser.emptyLog();
    await expect.poll(() => marksIn(folder, DEPARTED)).toBe(0);
    expect(sizeOf(path)).toEqual({ pages, log: 0 });
  });

  it('is erased once nobody reads it any more, and meanwhile no write is refused', async () => {
    const { stores, path, folder } = await markedDatabase({ rows: 50 });
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec('begin; select * from requests');
    reader.prepare('select count(*) from requests').get();
    const eraser = eraserOf(path);
    await stores.rows.deleteAll(DEPARTED, undefined);
    eraser.rewriteFile();
    // Until one of them had to wait for the eraser.
    for (let longest = 0, written = 0; longest < 100 && written < 100; written += 1) {
      const began = performance.now();
      await stores.entries.takeOnce(once(STAYING, `U${written}`), at(0));
      longest = Math.max(longest, performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(await marksIn(folder, DEPARTED)).toBeGreaterThan(0);
    reader.close();
    await expect.poll(() => marksIn(folder, DEPARTED)).toBe(0);
  });

  it('is erased at the next start where the process was killed before', async () => {
    const { stores, path, folder } = await markedDatabase({ rows: 50 });
    await stores.rows.deleteAll(DEPARTED, undefined);
    const killed = await temporaryFolder();
    for (const part of ['', '-wal'])
      await copyFile(`${path}${part}`, join(killed, `app.db${part}`));
    expect(await marksIn(killed, DEPARTED)).toBeGreaterThan(0);
    await openAt(killed, { eraseAfterCrashMs: 0 });
    await expect.poll(() => marksIn(killed, DEPARTED)).toBe(0);
    expect(await marksIn(folder, DEPARTED)).toBeGreaterThan(0);
  });

  it('does not stay in what a killed restore leaves', async () => {
    const folder = await temporaryFolder();
    await makeMigratedFile(join(folder, 'app.db'));
    await writeFile(join(folder, 'app.db.unfinished'), DEPARTED);
    await openAt(folder);
    expect(await marksIn(folder, DEPARTED)).toBe(0);
  });
});

async function openAt(folder: string, options = {}): Promise<void> {
  const { close } = await openStores(
    {
      database: { path: join(folder, 'app.db') },
      encryptionKeys: [encryptionKey('k1')],
      lostKeyIds: [],
    },
    log,
    options,
  );
  onTestFinished(close);
}

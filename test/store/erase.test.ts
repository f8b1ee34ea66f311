import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/ops/logging.ts';
import { createEraser } from '../../src/store/sqlite/erase.ts';
import { createStores } from '../../src/store/stores.ts';
import { workspaceNamed } from '../installations/ids.ts';
import { marksIn, writeMarkedRows } from './marked-rows.ts';
import { temporaryDatabase } from './sqlite-files.ts';
import { at, encryptionKey } from './stores-under-test.ts';

const DEPARTED = workspaceNamed('T0DEPARTED');
const STAYING = workspaceNamed('T0STAYING');
const lines: string[] = [];
const log = createLog({ level: 'warn', destination: { write: (line) => void lines.push(line) } });

async function markedDatabase({ rows }: { rows: number }) {
  const { db, path, folder } = await temporaryDatabase();
  const stores = createStores(db, [encryptionKey('k1')]);
  await writeMarkedRows({ db, stores }, { rows, owners: [DEPARTED, STAYING], now: at(0) });
  expect(await marksIn(folder, DEPARTED)).toBeGreaterThan(rows);
  const clock = { now: at(0) };
  const eraserWith = (options = {}) => createEraser(db, { now: () => clock.now, log, ...options });
  return { stores, path, folder, clock, eraser: eraserWith(), eraserWith };
}

function sizeOf(path: string) {
  const reader = new DatabaseSync(path, { readOnly: true });
  const pages = reader.prepare('pragma page_count').get()?.page_count;
  reader.close();
  return { pages, log: statSync(`${path}-wal`).size };
}

describe('what was deleted from an SQLite file', () => {
  it('is overwritten and out of the log of a file that is too large to be rewritten, too', async () => {
    // So few that no page is ever full.
    const { stores, path, folder, eraserWith } = await markedDatabase({ rows: 2 });
    await stores.rows.deleteAll(DEPARTED, undefined);
    expect(await marksIn(folder, DEPARTED)).toBeGreaterThan(0);
    const { pages } = sizeOf(path);
    await eraserWith({ largest: 0 }).rewriteFile();
    expect(await marksIn(folder, DEPARTED)).toBe(0);
    expect(sizeOf(path)).toEqual({ pages, log: 0 });
  });

  it('is out of the log each time, and out of the file once a day', async () => {
    const { stores, path, folder, clock, eraser } = await markedDatabase({ rows: 600 });
    await eraser.erase();
    await stores.rows.deleteAll(DEPARTED, undefined);
    await eraser.erase();
    expect(sizeOf(path).log).toBe(0);
    expect(await marksIn(folder, DEPARTED)).toBeGreaterThan(0);
    clock.now = at(24 * 60 * 60);
    await eraser.erase();
    // Rows, long texts, indexes, and the log.
    expect(await marksIn(folder, DEPARTED)).toBe(0);
    expect(await marksIn(folder, STAYING)).toBeGreaterThan(600);
  });

  it('is erased once nobody reads it any more, and meanwhile the log says so', async () => {
    const { stores, path, folder, eraser } = await markedDatabase({ rows: 50 });
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec('begin');
    reader.prepare('select count(*) from requests').get();
    await stores.rows.deleteAll(DEPARTED, undefined);
    await eraser.rewriteFile();
    expect(lines.splice(0).join('')).toContain('another program is reading the database file');
    expect(await marksIn(folder, DEPARTED)).toBeGreaterThan(0);
    reader.close();
    await eraser.erase();
    expect(await marksIn(folder, DEPARTED)).toBe(0);
    expect(lines).toEqual([]);
  });
});

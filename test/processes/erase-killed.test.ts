import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/ops/logging.ts';
import { openStores } from '../../src/store/open-stores.ts';
import { createStores } from '../../src/store/stores.ts';
import { chanceOf } from '../faults/random.ts';
import { workspaceNamed } from '../installations/ids.ts';
import { marksIn, writeMarkedRows } from '../store/marked-rows.ts';
import { temporaryDatabase } from '../store/sqlite-files.ts';
import { at, encryptionKey } from '../store/stores-under-test.ts';

const DEPARTED = workspaceNamed('T0DEPARTED');
const STAYING = workspaceNamed('T0STAYING');
const ROWS = 200;
const PROCESS = fileURLToPath(new URL('erasing-process.ts', import.meta.url));
/** Erasing such a file takes about that long, in ms. */
const ERASED_WITHIN_MS = 400;
const chance = chanceOf(7);
const KILLS = Array.from({ length: 4 }, () => chance.below(ERASED_WITHIN_MS));

/** Kills the process, and the one that it erases with. @returns the rows that it stored */
async function killWhileErasing(path: string, afterMs: number): Promise<number> {
  const given = ['--no-warnings', PROCESS, path, DEPARTED, STAYING];
  const child = spawn(process.execPath, given, {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  const reading = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const closed = once(reading, 'close');
  await once(reading, 'line');
  await sleep(afterMs);
  if (child.pid === undefined) throw new Error('the process did not start');
  // Both are in one group.
  process.kill(-child.pid, 'SIGKILL');
  await closed;
  return lines.filter((line) => line !== 'deleted').length;
}

/** Reads only: otherwise closing the file would empty the log that the app finds at its next start. */
function read(path: string, query: string) {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return db.prepare(query).all();
  } finally {
    db.close();
  }
}

it.each(KILLS)('a process killed %i ms after it began to erase loses nothing', async (afterMs) => {
  const { db, path, folder } = await temporaryDatabase();
  const stores = createStores(db, [encryptionKey('k1')]);
  await writeMarkedRows({ db, stores }, { rows: ROWS, owners: [DEPARTED, STAYING], now: at(0) });
  await db.destroy();

  const stored = await killWhileErasing(path, afterMs);

  expect(read(path, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  const count = (condition: string) =>
    read(path, `select count(*) as rows from entries where ${condition}`)[0]?.rows;
  expect(count(`workspace_id = '${DEPARTED}'`)).toBe(0);
  expect(count(`workspace_id = '${STAYING}' and name not like 'U-new-%'`)).toBe(ROWS / 2);
  expect(count("name like 'U-new-%'")).toBeGreaterThanOrEqual(stored);

  const opened = await openStores(
    {
      database: { path: join(folder, 'test.db') },
      encryptionKeys: [encryptionKey('k1')],
      lostKeyIds: [],
    },
    createLog({ level: 'silent' }),
    { eraseAfterCrashMs: 0 },
  );
  onTestFinished(opened.close);
  await expect.poll(() => marksIn(folder, DEPARTED)).toBe(0);
});

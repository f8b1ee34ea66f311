import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openMigrated } from '../../../src/store/database.ts';
import type { CrashDatabase } from './database.ts';

const FILE = 'app.db';
/** What else belongs to the database; the shared memory beside it is made anew from these. */
const PARTS = ['', '-wal'];

/** Makes an empty database with today's tables, for `openSqliteFile` to begin with. */
export async function createTemplate(folder: string): Promise<string> {
  const path = join(folder, 'template.db');
  const db = await openMigrated({ path });
  await db.destroy();
  return path;
}

/**
 * An SQLite file. When its process is killed, the next one gets a copy of the file and its log as they
 * are at that moment, so nothing that the old process still does, not even closing them, can matter.
 */
export function openSqliteFile(folder: string, template: string): CrashDatabase {
  let copies = 0;
  let reader: DatabaseSync | undefined;
  let path = '';

  function copyFrom(source: string): void {
    copies += 1;
    const copy = join(folder, String(copies));
    mkdirSync(copy, { recursive: true });
    path = join(copy, FILE);
    for (const part of PARTS) {
      if (existsSync(source + part)) copyFileSync(source + part, path + part);
    }
    reader?.close();
    reader = undefined;
  }
  copyFrom(template);

  return {
    url: () => `sqlite:${path}`,
    afterKill: () => copyFrom(path),
    passTime: async () => undefined,
    // Statements run one after the other within the process.
    waitingForLocks: async () => 0,
    async query(sql) {
      reader ??= new DatabaseSync(path, { readOnly: true });
      return reader.prepare(sql).all();
    },
    async close() {
      reader?.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

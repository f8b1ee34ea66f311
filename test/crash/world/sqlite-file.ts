import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openMigrated } from '../../../src/store/database.ts';
import type { CrashDatabase } from './database.ts';

const FILE = 'app.db';
/** The files of a database that matter; SQLite rebuilds its shared memory from them. */
const PARTS = ['', '-wal'];

/** Creates an empty migrated database for `openSqliteFile` to copy. */
export async function createTemplate(folder: string): Promise<string> {
  const path = join(folder, 'template.db');
  const db = await openMigrated({ path });
  await db.destroy();
  return path;
}

/**
 * An SQLite file. When its process is killed, the next one gets a copy of the file and its log as they
 * are then, so whatever the old process's libraries still do to the original has no effect.
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
    // The only process runs one statement at a time.
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

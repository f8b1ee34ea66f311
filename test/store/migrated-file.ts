import { mkdtempSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase } from '../../src/store/database.ts';

let template: Promise<string> | undefined;

/** Makes a migrated SQLite file. Copying one takes a seventh of the time that the migrations take. */
export async function makeMigratedFile(path: string): Promise<void> {
  template ??= makeTemplate();
  await copyFile(await template, path);
}

async function makeTemplate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'design-request-template-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'migrated.db');
  await migrateDatabase({ path });
  return path;
}

import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { makeMigratedFile } from '../store/migrated-file.ts';
import { openSetting, startApp } from './app.ts';
import { runCommand } from './entry.ts';

describe('the release step', { timeout: 60_000 }, () => {
  it('creates the tables, does nothing the second time, and the app runs on them', async () => {
    const setting = await openSetting();
    const { env } = setting;
    const first = runCommand('migrate', { env });
    expect(await first.ended).toEqual({ code: 0, signal: null });
    expect(first.stdout()).toMatch(/^Migrated: 0001-\S+.*\n$/);

    const second = runCommand('migrate', { env });
    expect(await second.ended).toEqual({ code: 0, signal: null });
    expect(second.stdout()).toBe('Up to date.\n');
    expect(first.stderr() + second.stderr()).toBe('');
    await startApp(setting);
  });

  it('and the app are started by the Procfile with node itself, so that signals arrive', () => {
    const procfile = readFileSync(new URL('../../Procfile', import.meta.url), 'utf8');
    expect(procfile).toBe('release: node dist/app.js migrate\nweb: node dist/main.js\n');
  });
});

it('npm run app -- rotate-keys refuses a database of a newer version, whose secrets it may not know', async () => {
  const { env } = await openSetting();
  const path = (env.DATABASE_URL ?? '').replace('sqlite:', '');
  await makeMigratedFile(path);
  const db = new DatabaseSync(path);
  db.exec("insert into kysely_migration values ('9999-from-the-future', '')");
  db.close();
  const entry = runCommand('rotate-keys', { env });
  expect(await entry.ended).toEqual({ code: 1, signal: null });
  expect(entry.stderr()).toBe(
    `The database ${path} is from a newer version of the app: it has 9999-from-the-future. Run this command with that version or a later one.\n`,
  );
});

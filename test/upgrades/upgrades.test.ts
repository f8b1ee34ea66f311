import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { temporaryFolder } from '../store/sqlite-files.ts';
import { restoreSqlite, sqliteSchema } from './dump-sqlite.ts';
import { releasedVersions } from './released.ts';
import { describeUpgrades } from './upgrade-suite.ts';

describeUpgrades('sqlite', async () => {
  const path = join(await temporaryFolder(), 'app.db');
  return {
    location: { path },
    setting: `sqlite:${path}`,
    restore: async (sql) => restoreSqlite(path, sql),
    schema: async () => sqliteSchema(path),
  };
});

it('this version, or the one before it, has its databases and an entry in the changelog', () => {
  const changelog = readFileSync(new URL('../../docs/CHANGELOG.md', import.meta.url), 'utf8');
  const released = [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/gm)];
  const versions = released.map(([, version]) => version);
  if (!VERSION.endsWith('-dev')) expect(versions[0]).toBe(VERSION);
  expect(releasedVersions('sqlite').sort()).toEqual(versions.toSorted());
  expect(releasedVersions('postgres').sort()).toEqual(versions.toSorted());
});

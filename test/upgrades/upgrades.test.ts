import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { temporaryFolder } from '../store/sqlite-files.ts';
import { restoreSqlite, sqliteSchema } from './dump-sqlite.ts';
import { NEXT_VERSION, releasedVersions } from './released.ts';
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

/** Earlier databases are refused. */
const OLDEST = '0.3.0';

it('this version has its databases, and each released one an entry in the changelog', () => {
  const changelog = readFileSync(new URL('../../docs/CHANGELOG.md', import.meta.url), 'utf8');
  const released = [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/gm)];
  const versions = released
    .map(([, version = '']) => version)
    .filter((version) => version >= OLDEST);
  if (VERSION === NEXT_VERSION) expect(versions[0]).toBe(VERSION);
  const expected = [...new Set([...versions, NEXT_VERSION])].sort();
  expect(releasedVersions('sqlite').sort()).toEqual(expected);
  expect(releasedVersions('postgres').sort()).toEqual(expected);
});

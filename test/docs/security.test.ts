import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const page = read('docs/security.md');

it('docs/security.md names only files that exist', () => {
  const files = globSync('src/**/*.ts', { cwd: root });
  const named = [...page.matchAll(/`([\w/-]+\.ts)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !files.some((file) => file.endsWith(`/${path}`)))).toEqual([]);
});

it('docs/security.md explains every scope, and which are optional', () => {
  const { bot, bot_optional: optional } = parse(read('manifest.yml')).oauth_config.scopes;
  const [, scopes = ''] = page.split('## Scopes');
  const rows = scopes.split('\n').filter((line) => line.startsWith('| `'));
  const rowOf = (scope: string) => rows.find((row) => row.includes(`\`${scope}\``));
  for (const scope of bot) expect(rowOf(scope), scope).toBeDefined();
  const isOptional = bot.filter((scope: string) => rowOf(scope)?.includes('**optional**'));
  expect(isOptional).toEqual(optional);
});

it('docs/security.md names a limit, a share, a place, and a test in each row of its limits', () => {
  const [, section = ''] = page.split('## Limits');
  const [table = ''] = section.split('\n## ');
  const rows = table
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const files = [
    ...globSync('src/**/*.ts', { cwd: root }),
    ...globSync('test/**/*.ts', { cwd: root }),
  ];
  const exists = (cell = '') => {
    const path = cell.replaceAll('`', '');
    return files.some((file) => file.endsWith(`/${path}`));
  };
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) {
    expect(row.filter(Boolean), row[0]).toHaveLength(5);
    expect(exists(row[3]), row[3]).toBe(true);
    expect(exists(row[4]), row[4]).toBe(true);
  }
  expect(rows.filter(([, limit]) => limit?.includes('**open**'))).toEqual([]);
});

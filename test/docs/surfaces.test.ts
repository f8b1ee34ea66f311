import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const PAGE = readFileSync(new URL('../../docs/surfaces.md', import.meta.url), 'utf8');

/** The last column of the table of surfaces, by the first. */
function provenBy(): [surface: string, tests: string][] {
  const [table = ''] = PAGE.split('\n\n').filter((part) => part.startsWith('| Surface |'));
  return table
    .split('\n')
    .slice(2)
    .map((row) => row.split(/(?<!\\)\|/).slice(1, -1))
    .map((cells) => [cells.at(0)?.trim() ?? '', cells.at(-1) ?? '']);
}

it.each(provenBy())('%s has a test that proves it', (_surface, tests) => {
  const named = [...tests.matchAll(/`([\w-]+)`/g)].map(([, name]) => name);
  expect(named).not.toEqual([]);
  const missing = named.filter(
    (name) => !existsSync(new URL(`../journeys/${name}.test.ts`, import.meta.url)),
  );
  expect(missing).toEqual([]);
});

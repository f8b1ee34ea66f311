import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { FROM_MESSAGE } from '../../src/slack/words/shortcuts.ts';

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

it('names each kind of block of the installed @slack/types in what the message shortcut takes along', () => {
  const types = createRequire(import.meta.url).resolve('@slack/types');
  const blocks = readFileSync(join(dirname(types), 'block-kit/blocks.d.ts'), 'utf8');
  const kinds = [...blocks.matchAll(/^ {4}type: '(\w+)';$/gm)].map(([, kind]) => kind);
  const [table = ''] = PAGE.split('\n\n').filter((part) => part.startsWith('| Content |'));
  expect(kinds.length).toBeGreaterThan(15);
  expect(kinds.filter((kind) => !table.includes(`\`${kind}\``))).toEqual([]);
});

it('quotes what the message shortcut says', () => {
  const { controls, partial, deleted, cut } = FROM_MESSAGE;
  for (const words of [controls, partial, deleted, cut]) expect(PAGE).toContain(`“${words}”`);
});

import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const SRC = new URL('../../../../src/', import.meta.url);
const DRAWN = new URL('../../pages/browser/text/emoji.tsx', import.meta.url);

/** What looks like an emoji in a comment, a pattern, the format of a time, or the name of an event. */
const NO_EMOJI = new Set(['name', 'client', 'mm']);

it('every emoji that the app uses is drawn in the pages', () => {
  const texts = globSync('slack/**/*.ts', { cwd: SRC }).map((file) =>
    readFileSync(new URL(file, SRC), 'utf8'),
  );
  const used = texts.flatMap((text) =>
    [...text.matchAll(/:([a-z]+(?:_[a-z]+)*):/g)].map(([, name = '']) => name),
  );
  const named = new Set(used.filter((name) => !NO_EMOJI.has(name)));
  expect(named.size).toBeGreaterThan(8);
  const drawn = readFileSync(DRAWN, 'utf8');
  expect([...named].filter((name) => !drawn.includes(`  ${name}: `))).toEqual([]);
});

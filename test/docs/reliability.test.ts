import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { ROWS } from '../faults/rows.ts';

it('docs/reliability.md lists every fault', async () => {
  const page = await readFile(new URL('../../docs/reliability.md', import.meta.url), 'utf8');
  const missing = ROWS.filter(({ row, title }) => !page.includes(`| ${row} | ${title} |`));
  expect(missing.map(({ title }) => title)).toEqual([]);
});

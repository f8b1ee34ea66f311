import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { SCENARIOS } from '../crash/scenarios/scenarios.ts';

it('docs/crash-proof.md lists every scenario', async () => {
  const page = await readFile(new URL('../../docs/crash-proof.md', import.meta.url), 'utf8');
  const missing = SCENARIOS.filter(({ name }) => !page.includes(`- ${name}\n`));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

import { expect, it } from 'vitest';
import { explore } from './explore.ts';
import { openRunner } from './run.ts';

/** No assertion is timed; this only ends a test that hangs. */
const HANGS_AFTER_MS = 300_000;

it('wherever the process ends, each request becomes one card or its author is told', {
  timeout: HANGS_AFTER_MS,
}, async () => {
  const runner = await openRunner();
  try {
    const explored = await explore(runner, { extent: 'test' });
    expect(explored.flatMap(({ failed }) => failed)).toEqual([]);
    expect(explored.every(({ runs }) => runs > 1)).toBe(true);
  } finally {
    await runner.close();
  }
});

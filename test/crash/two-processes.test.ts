import { expect, it } from 'vitest';
import { startPostgres } from '../postgres/server.ts';
import { sample } from './explore.ts';
import { openRunner } from './run.ts';
import { TWO_PROCESSES } from './run-number.ts';
import type { Outcome } from './scenario.ts';

/** Each takes seconds; `npm run tool -- crash` tries far more. */
const RUNS = 12;
/** Of each, the same run without interruptions is played first. */
const PLAYED: readonly [scenario: string, outcome: Outcome][] = [
  ['two requests at once', 'done, answer lost'],
  ['a request', 'not sent'],
  ['a request in doubt, its author says “Found it”', 'failed, unknown'],
  ['an uninstall while a form is sent', 'done'],
];
/** No assertion is timed; this only ends a test that hangs. */
const HANGS_AFTER_MS = 600_000;

it('whichever of two processes freezes, each request becomes one card or its author is told', {
  timeout: HANGS_AFTER_MS,
}, async () => {
  const server = await startPostgres();
  const runner = await openRunner({ postgres: server.url });
  try {
    const name = 'two processes, one frozen';
    const explored = await sample(
      runner,
      { name, first: TWO_PROCESSES + 1, runs: RUNS },
      {
        only: ({ scenario, outcome }) =>
          PLAYED.some(([played, meets]) => played === scenario.name && meets === outcome),
      },
    );
    expect(explored.failed).toEqual([]);
    expect(explored.runs).toBe(RUNS);
  } finally {
    await runner.close();
    await server.stop();
  }
});

import { expect } from 'vitest';
import { inWords, type Row } from './row.ts';

/** Always the same random choices; `npm run tool -- faults` uses another seed each time, and many more runs. */
const SEED = 20_261;

/** Nothing but Slack's own three seconds is timed, which are real here, and a machine may pause for longer. */
export const TRIES = { retry: 1, timeout: 180_000 };

/** Runs a row of the fault table a few times; if it fails, the message has its figures. */
export async function expectToPass(row: Row): Promise<void> {
  const figures = await row.run({ seed: SEED, runs: row.runs.quick, say: () => undefined });
  const words = inWords(figures);
  expect({ words, holds: figures.holds }).toEqual({ words, holds: true });
}

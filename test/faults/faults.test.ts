import { describe, expect, it } from 'vitest';
import { countsInWords, measuredInWords } from './figures.ts';
import { ROWS } from './rows.ts';

/** Chance repeats itself; `npm run test:faults` takes another seed each time, and many more runs. */
const SEED = 20_261;
/** Nothing here is timed but what Slack times; this only ends a test that hangs. */
const HANGS_AFTER_MS = 180_000;

/** Slack's three seconds are real ones here, and a machine may stand still for longer. */
const TRIES = { retry: 1, timeout: HANGS_AFTER_MS };

describe('the app under faults, as a process of its own', TRIES, () => {
  it.concurrent.each(ROWS)('row $row holds: $title', async (row) => {
    const figures = await row.run({ seed: SEED, runs: row.runs.quick, say: () => undefined });
    const words = `${countsInWords(figures)}; ${measuredInWords(figures)}`;
    expect({ words, holds: figures.holds }).toEqual({ words, holds: true });
  });
});

import { describe, expect, it } from 'vitest';
import { countsAsText, measurementsAsText } from './figures.ts';
import { ROWS } from './rows.ts';

/** Always the same random choices; `npm run test:faults` uses another seed each time, and many more runs. */
const SEED = 20_261;
/** Only ends a test that hangs; nothing but Slack's own deadline is timed. */
const HANGS_AFTER_MS = 180_000;

/** Slack's three seconds are real ones here, and a machine may pause for longer. */
const TRIES = { retry: 1, timeout: HANGS_AFTER_MS };

describe('the app under faults, as a separate process', TRIES, () => {
  it.concurrent.each(ROWS)('passes row $row: $title', async (row) => {
    const figures = await row.run({ seed: SEED, runs: row.runs.quick, say: () => undefined });
    const words = `${countsAsText(figures)}; ${measurementsAsText(figures)}`;
    expect({ words, holds: figures.holds }).toEqual({ words, holds: true });
  });
});

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Histories, historyInWords, openHistories } from '../model/code/histories.ts';
import { SAFEGUARDS, type Safeguard } from '../model/protocol/safeguards.ts';

/** `npm run tool -- crash` compares far more. */
const SEEDS = Array.from({ length: 5 }, (_, index) => index + 1);
/** Without jobs taken back the violation is that nothing more happens, so there is no step to prevent. */
const PREVENTED = (Object.keys(SAFEGUARDS) as Safeguard[])
  .filter((safeguard) => safeguard !== 'abandonedJobsAreReclaimed')
  .map((safeguard) => [SAFEGUARDS[safeguard], safeguard] as const);
/** Nothing here is timed; this only ends a test that hangs. */
const HANGS_AFTER_MS = 300_000;

describe('the model and the code of two replicas', { timeout: HANGS_AFTER_MS }, () => {
  let histories: Histories;
  beforeAll(async () => {
    histories = await openHistories({ postgres: inject('postgresServer') ?? '' });
  });
  afterAll(() => histories.close());

  it.each(SEEDS)('agree after every step of a random history: %i', async (seed) => {
    const compared = await histories.onPostgres(seed);
    expect(compared.differences.length > 0 ? historyInWords(compared) : []).toEqual([]);
  });

  it.each(PREVENTED)('part ways where this prevents a violation: %s', async (_, safeguard) => {
    const { differences } = await histories.violation(safeguard);
    expect(differences).not.toEqual([]);
  });
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Histories, historyInWords, openHistories } from '../model/code/histories.ts';

/** `npm run tool -- crash` compares far more. */
const SEEDS = Array.from({ length: 25 }, (_, index) => index + 1);
/** No assertion is timed; this only ends a test that hangs. */
const HANGS_AFTER_MS = 300_000;

let histories: Histories;
beforeAll(async () => {
  histories = await openHistories();
});
afterAll(() => histories.close());

it('the model and the code agree after every step of random histories', {
  timeout: HANGS_AFTER_MS,
}, async () => {
  const taken = new Set<string>();
  for (const seed of SEEDS) {
    const compared = await histories.onSqlite(seed);
    for (const { name } of compared.happened) taken.add(name);
    const words =
      compared.differences.length > 0 ? [`seed ${seed}`, ...historyInWords(compared)] : [];
    expect(words).toEqual([]);
  }
  // The others need two replicas.
  expect([...taken].sort()).toEqual(
    [
      ...['submit', 'claimSending', 'checkRequest', 'beginSending', 'takeGrant', 'sendPost'],
      ...[
        'withholdPost',
        'recordOutcome',
        'endSending',
        'tellAuthor',
        'decide',
        'beginSearch',
        'readCard',
      ],
      ...['search', 'withholdSearch', 'crash', 'minutePasses'],
    ].sort(),
  );
});

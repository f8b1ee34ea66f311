import { bothP95, type Figures, p95, type Row, type RowOptions } from './figures.ts';
import { type Fared, measureOtherKey } from './retry-after/other-key.ts';
import { respectRetryAfter } from './retry-after/respect-retry-after.ts';

const TITLE = 'the service answers 429 with every shape of Retry-After';
const MUTATION =
  'the wait is not stored with the budget (budget.ts): early calls in 2 of 7 shapes, 6 of them after a kill -9; not clamped (rate-limit.ts): 1e9 delays the request for good; one gate for all keys (gate.ts): all 5 requests of the other key still wait after a minute, and its links show no details by then';
/** In each phase, for each form of a shape. */
const FORMS_OF_OTHER_KEY = 5;
/** Slack's own deadline, within which another key's trouble must not be noticed. */
const UNHARMED_MS = 3_000;

/** Each run is one form for each shape, and some forms of another key beside them. */
async function run(options: RowOptions): Promise<Figures> {
  const waits = await respectRetryAfter(options);
  const { calm, meanwhile, ...other } = await measureOtherKey({
    seed: options.seed,
    runs: options.runs * FORMS_OF_OTHER_KEY,
  });
  options.say('another key was measured');
  const { ok, waiting, lost, untold, doubled } = waits.counts;
  const phases = [calm, meanwhile];
  const sent = phases.reduce((sum, { forms }) => sum + forms.length, 0);
  return {
    row: 12,
    title: TITLE,
    counts: {
      ...{ ok, waiting, lost, untold, doubled },
      'ok with another key': other.outcomes.ok,
      'its links': calm.links + meanwhile.links,
      'its 429s': other.refused,
    },
    measured: {
      'early calls': none(waits.early),
      'after a kill -9': String(waits.earlyAfterKill),
      'delayed longer than told': none(waits.late),
      'another key’s p95 of views.open': bothP95(calm.openMs, meanwhile.openMs, 'meanwhile'),
      'its p95 from Send to the service': bothP95(
        calm.deliveredMs,
        meanwhile.deliveredMs,
        'meanwhile',
      ),
      'its p95 from a link to its unfurl': bothP95(calm.unfurlMs, meanwhile.unfurlMs, 'meanwhile'),
    },
    holds:
      ok === waits.forms &&
      waits.early.length + waits.late.length === 0 &&
      other.outcomes.ok === sent &&
      other.refused === 0 &&
      other.waiting === other.forms &&
      phases.every(isUnharmed),
    mutation: MUTATION,
  };
}

const isUnharmed = (fared: Fared): boolean =>
  fared.links > 0 &&
  fared.unfurled === fared.links &&
  [fared.openMs, fared.deliveredMs, fared.unfurlMs].every((ms) => p95(ms) < UNHARMED_MS);

const none = (names: readonly string[]) => (names.length === 0 ? '0' : names.join(', '));

export const retryAfterRow: Row = { row: 12, title: TITLE, runs: { full: 12, quick: 1 }, run };

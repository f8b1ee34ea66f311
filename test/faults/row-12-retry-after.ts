import { bothP95, type Figures, p95, type Row, type RowOptions } from './figures.ts';
import { type Fared, measureOtherKey } from './retry-after/other-key.ts';
import { waitAsToldTo } from './retry-after/wait-as-told-to.ts';

const TITLE = 'the key is answered 429 with Retry-After in every shape';
const MUTATION =
  'the moment is not kept with the budget (budget.ts): early calls in 2 of 7 shapes, 6 of them after a kill -9; not clamped (rate-limit.ts): 1e9 buries the request; one gate for all keys (gates.ts): all 5 orders of the other key still wait after a minute, its links are shown after a minute without details';
/** In each phase, for each form of a shape. */
const FORMS_OF_OTHER_KEY = 5;
/** Nobody waits longer for Slack; nor does anybody notice another key so much. */
const UNHARMED_MS = 3_000;

/** One run is one form for each shape, and some forms of another key beside them. */
async function run(options: RowOptions): Promise<Figures> {
  const waits = await waitAsToldTo(options);
  const { calm, meanwhile, ...other } = await measureOtherKey({
    seed: options.seed,
    runs: options.runs * FORMS_OF_OTHER_KEY,
  });
  options.say('another key meanwhile');
  const { ok, waiting, lost, untold, doubled } = waits.counts;
  const phases = [calm, meanwhile];
  const ordered = phases.reduce((sum, { orders }) => sum + orders.length, 0);
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
      'of them after a kill -9': String(waits.earlyAfterKill),
      'buried for longer than asked': none(waits.late),
      'another key’s p95 of views.open': bothP95(calm.openMs, meanwhile.openMs, 'meanwhile'),
      'its p95 from Send to the service': bothP95(
        calm.deliveredMs,
        meanwhile.deliveredMs,
        'meanwhile',
      ),
      'its p95 from a link to its unfurl': bothP95(calm.unfurlMs, meanwhile.unfurlMs, 'meanwhile'),
    },
    holds:
      ok === waits.orders &&
      waits.early.length + waits.late.length === 0 &&
      other.outcomes.ok === ordered &&
      other.refused === 0 &&
      other.waiting === other.orders &&
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

import { setTimeout as sleep } from 'node:timers/promises';
import { countOutcomes } from './outcomes.ts';
import { OVERLOADS, overload, shareOfLinks } from './overload.ts';
import { postSteadily } from './posting.ts';
import { chanceOf } from './random.ts';
import { bothP95, type Figures, type Row, type RowOptions } from './row.ts';
import { withSetting } from './setting.ts';
import { sendSteadily } from './steady-requests.ts';

const PEOPLE = 6;
/** Enough for all requests, and for only a fraction of the links. */
const REQUESTS_PER_MINUTE = 600;
const LINKS_A_SECOND = 80;
/** Every link is to another card, so that each causes a call, which the service answers slowly. */
const CARDS = 4_000;
const READ_TAKES_MS = 1_000;
/** Twice as many as the app runs at once: what it had started goes first, and almost nothing else. */
const MOST_LET_PAST = 64;
/** Source: Slack's documentation; the stand-in enforces both. */
const SLACK_WAITS_MS = 3_000;
/** How long people ask for more than there is, in s: slightly more than one minute, and than four. */
const OVERLOADED_S = { quick: 80, full: 270 };
/** Links then get a fifth of the calls, or two of twelve slots; chance takes a little. */
const LEAST_FOR_LINKS = 0.1;

/** Each run is one form without the flood and one during it. */
async function run(options: RowOptions): Promise<Figures> {
  const figures = await floodOfLinks(options);
  const { seed, runs, say } = options;
  const lastsS = runs < floodRow.runs.full ? OVERLOADED_S.quick : OVERLOADED_S.full;
  const scenes = await Promise.all(
    OVERLOADS.map(async (one) => ({ of: one.of, ...(await overload(one, { seed, lastsS })) })),
  );
  const measured = scenes.map(({ of, ...seen }): [string, string] => [
    `calls for links while people use up the ${of}`,
    `${seen.readsForLinks} of ${seen.readsForLinks + seen.readsForPeople} in ${lastsS} s`,
  ]);
  say(`people asked for more cards than allowed for ${lastsS} s`);
  return {
    ...figures,
    measured: { ...figures.measured, ...Object.fromEntries(measured) },
    holds: figures.holds && scenes.every((seen) => shareOfLinks(seen) >= LEAST_FOR_LINKS),
  };
}

function floodOfLinks({ seed, runs, say }: RowOptions): Promise<Figures> {
  const allowed = { requestsPerMinute: REQUESTS_PER_MINUTE };
  return withSetting({ seed, people: PEOPLE, ...allowed }, async (setting) => {
    const { service } = setting;
    const chance = chanceOf(seed);
    for (let card = 0; card < CARDS; card += 1) service.cards.add({ title: `Card ${card}` });
    service.faults.add({ operation: 'getCard', kind: 'stall', ms: READ_TAKES_MS });
    await setting.start();
    const calm = await sendSteadily(setting, chance, runs, 'Calm');
    say(`${runs} forms without the flood`);
    const flood = postSteadily(setting, chance, { aSecond: LINKS_A_SECOND });
    await sleep(1_000);
    const flooded = await sendSteadily(setting, chance, runs, 'Flooded');
    const links = (await flood.end()).length;
    say(`${runs} forms while ${links} links came in`);

    const forms = [...calm.forms, ...flooded.forms];
    const acknowledged = [...calm.acknowledgedMs, ...flooded.acknowledgedMs];
    const slowest = Math.max(...calm.openMs, ...flooded.openMs, ...acknowledged);
    const letPast = Math.max(...flooded.letPast);
    const refused = service.calls().filter(({ status }) => status === 429).length;
    const mostAMinute = service.largestWindow();
    const { ok, lost, untold, doubled, waiting } = countOutcomes(setting, forms);
    return {
      counts: { ok, waiting, lost, untold, doubled, links },
      measured: {
        'p95 of views.open': bothP95(calm.openMs, flooded.openMs, 'flooded'),
        'p95 of the acknowledgment': bothP95(
          calm.acknowledgedMs,
          flooded.acknowledgedMs,
          'flooded',
        ),
        'p95 from Send to the service': bothP95(calm.deliveredMs, flooded.deliveredMs, 'flooded'),
        'most links sent before a request': String(letPast),
        '429s from the service': String(refused),
        'most calls in 60 s': `${mostAMinute} of ${REQUESTS_PER_MINUTE}`,
      },
      holds:
        ok === forms.length &&
        slowest < SLACK_WAITS_MS &&
        letPast <= MOST_LET_PAST &&
        refused === 0 &&
        mostAMinute <= REQUESTS_PER_MINUTE,
    };
  });
}

export const floodRow: Row = {
  row: 13,
  title:
    'a flood of links while people open the form and submit; people who ask for more cards than the budget allows',
  mutation:
    'requests are not urgent (jobs.ts): 173 links sent before a request, and after a minute 4 of 4 authors know nothing; links have no share of their own (call-class.ts): 10 of 118 calls are for links while people use up the budget',
  runs: { full: 60, quick: 4 },
  run,
};

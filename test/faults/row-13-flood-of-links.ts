import { setTimeout as sleep } from 'node:timers/promises';
import { prepareForm, type SentForm, submit } from './forms.ts';
import { countOutcomes, creations, eventually } from './outcomes.ts';
import { postSteadily } from './posting.ts';
import { type Chance, chanceOf } from './random.ts';
import { bothP95, type Figures, type Row, type RowOptions } from './row.ts';
import { type Setting, withSetting } from './setting.ts';

const THINKS_MS = 2_000;
const PATIENCE_MS = 60_000;

/** Everyone sends forms at random times, until there are as many as wanted. Waits until each is a card. */
async function sendSteadily(setting: Setting, chance: Chance, count: number, name: string) {
  const { slack, acme, people } = setting;
  const forms: SentForm[] = [];
  const acknowledgedMs: number[] = [];
  let begun = 0;
  const callsBefore = slack.apiCalls.length;
  await Promise.all(
    people.map(async (user) => {
      const by = acme.as(user);
      while (begun < count) {
        begun += 1;
        const title = `${name} ${begun}`;
        await sleep(chance.below(THINKS_MS));
        const form = await prepareForm(setting, by, title);
        const { told } = await submit(form);
        forms.push(form);
        acknowledgedMs.push(told?.ms ?? Number.POSITIVE_INFINITY);
      }
    }),
  );
  await eventually(() => countOutcomes(setting, forms).ok === forms.length, PATIENCE_MS);
  const opens = slack.apiCalls.slice(callsBefore).filter(({ method }) => method === 'views.open');
  // A trigger ID starts with the time at which the stand-in issued it, in ms.
  const openMs = opens.map(
    ({ at, args }) => at.getTime() - Number.parseInt(String(args.trigger_id), 10),
  );
  const ways = forms.map((form) => timeToService(setting, form));
  const deliveredMs = ways.map(({ ms }) => ms);
  /** For each request, how many reads for links started between Send and its own call. */
  const letPast = ways.map(({ reads }) => reads);
  return { forms, openMs, acknowledgedMs, deliveredMs, letPast };
}

/** From pressing Send until the service had the card: how long, and how many reads it got in between. */
function timeToService(setting: Setting, { title, submittedAt }: SentForm) {
  const made = creations(setting).find((creation) => creation.title === title);
  if (!made) return { ms: Number.POSITIVE_INFINITY, reads: Number.POSITIVE_INFINITY };
  const pressedAt = performance.timeOrigin + (submittedAt ?? 0);
  const arrivedAt = made.at.getTime();
  const reads = setting.service
    .calls({ operation: 'getCard' })
    .filter(({ at }) => at.getTime() > pressedAt && at.getTime() < arrivedAt);
  return { ms: arrivedAt - pressedAt, reads: reads.length };
}

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

/** Each run is one form without the flood and one during it. */
function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  const allowed = { requestsPerMinute: REQUESTS_PER_MINUTE };
  return withSetting({ seed, people: PEOPLE, ...allowed }, async (setting) => {
    const { service } = setting;
    const chance = chanceOf(seed);
    for (let card = 0; card < CARDS; card += 1) service.cards.add({ title: `Card ${card}` });
    service.faults.add({ operation: 'getCard', kind: 'stall', ms: READ_TAKES_MS });
    await setting.start();
    const calm = await sendSteadily(setting, chance, runs, 'Calm');
    say(`${runs} forms without the flood`);
    const flood = postSteadily(setting, chance, LINKS_A_SECOND);
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
  title: 'a flood of links while people open the form and submit',
  mutation:
    'requests are not urgent (jobs.ts): 173 links sent before a request, and after a minute 4 of 4 authors know nothing',
  runs: { full: 60, quick: 4 },
  run,
};

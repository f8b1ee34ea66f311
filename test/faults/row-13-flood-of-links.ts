import { setTimeout as sleep } from 'node:timers/promises';
import { CLOCK_ENTRY } from './app-process.ts';
import { closeForms, prepareForm, type SentForm, submit } from './forms.ts';
import { countOutcomes, creations, eventually } from './outcomes.ts';
import { postSteadily, showsCard } from './posting.ts';
import { type Chance, chanceOf } from './random.ts';
import { bothP95, type Figures, type Row, type RowOptions } from './row.ts';
import { moveClocks, SECOND_MS, type Setting, withSetting } from './setting.ts';

/** What people exhaust by asking for card after card: the calls per minute, or the slots of a slow service. */
type Overload = { of: 'budget' | 'slots'; requestsPerMinute: number; readTakesMs: number };

const OVERLOADS: readonly Overload[] = [
  { of: 'budget', requestsPerMinute: 60, readTakesMs: 0 },
  { of: 'slots', requestsPerMinute: 6_000, readTakesMs: 4_000 },
];

/** The outcomes while people asked for more than there was. */
type OverloadSeen = {
  readsForPeople: number;
  readsForLinks: number;
  /** Links that were posted, and those of them that show their cards. */
  links: number;
  shown: number;
};

/** Links' share of the calls, 0 to 1. */
const shareOfLinks = ({ readsForPeople, readsForLinks }: OverloadSeen): number =>
  readsForLinks / (readsForPeople + readsForLinks);

const ASKING = 20;
/** By the accelerated clock: four times what the service allows, and as much as it allows. */
const COMMANDS_A_SECOND = 4;
const LINKS_BESIDE = 1;
/** This clock is this many times as fast as the real one. */
const TIMES_AS_FAST = 10;

/** Lets people ask for one card after the other, until told to stop. */
function askForCards({ acme, people, general }: Setting, newCard: () => string) {
  const asked: Promise<unknown>[] = [];
  const timer = setInterval(
    () => {
      const user = people[asked.length % people.length];
      if (user) asked.push(acme.as(user).command(general, `status ${newCard()}`));
    },
    SECOND_MS / COMMANDS_A_SECOND / TIMES_AS_FAST,
  );
  return async () => {
    clearInterval(timer);
    await Promise.all(asked);
  };
}

/**
 * Lets people ask for one card after the other while others post links, each to another card.
 *
 * @param options.lastsS how long, in seconds of the accelerated clock
 */
function overload(
  { of, requestsPerMinute, readTakesMs }: Overload,
  { seed, lastsS }: { seed: number; lastsS: number },
): Promise<OverloadSeen> {
  return withSetting({ seed, people: ASKING, requestsPerMinute }, async (setting) => {
    const { service } = setting;
    if (readTakesMs > 0) {
      const ms = readTakesMs / TIMES_AS_FAST;
      service.faults.add({ operation: 'getCard', kind: 'stall', ms });
    }
    const app = await setting.start({ entry: CLOCK_ENTRY });
    const newCard = () => service.cards.add({ title: `Card of ${of}` }).id;
    const forLinks = new Set<string>();
    const links = postSteadily(setting, chanceOf(seed), {
      aSecond: LINKS_BESIDE * TIMES_AS_FAST,
      nextCard() {
        const id = newCard();
        forLinks.add(id);
        return id;
      },
    });
    const endCommands = askForCards(setting, newCard);
    for (let second = 0; second < lastsS; second += 1) {
      await sleep(SECOND_MS / TIMES_AS_FAST);
      await moveClocks(setting, app, (second * SECOND_MS * (TIMES_AS_FAST - 1)) / TIMES_AS_FAST);
    }
    await endCommands();
    const posted = await links.end();
    const reads = service.calls({ operation: 'getCard' });
    const readsForLinks = reads.filter(({ path }) => forLinks.has(path.split('/').at(-1) ?? ''));
    return {
      readsForPeople: reads.length - readsForLinks.length,
      readsForLinks: readsForLinks.length,
      links: posted.length,
      shown: posted.filter((link) => showsCard(setting, link)).length,
    };
  });
}

/** The longest pause between two forms of one person. */
const THINKS_MS = 2_000;
const PATIENCE_MS = 60_000;

/** What people experienced during a period; times in ms. */
type Phase = {
  forms: SentForm[];
  openMs: number[];
  acknowledgedMs: number[];
  deliveredMs: number[];
  /** For each request, how many reads for links started between Send and its own call. */
  letPast: number[];
};

/**
 * Lets everyone open, fill in, and send forms at random times, until there are as many as wanted, and waits
 * until each is a card.
 */
async function sendSteadily(
  setting: Setting,
  chance: Chance,
  count: number,
  name: string,
): Promise<Phase> {
  const { slack, acme, people } = setting;
  const phase: Phase = { forms: [], openMs: [], acknowledgedMs: [], deliveredMs: [], letPast: [] };
  let begun = 0;
  const callsBefore = slack.apiCalls.length;
  await Promise.all(
    people.map(async (user) => {
      const by = acme.as(user);
      while (begun < count) {
        begun += 1;
        const title = `${name} ${begun}`;
        await sleep(chance.below(THINKS_MS));
        await closeForms(by);
        const form = await prepareForm(setting, by, title);
        const { told } = await submit(form);
        phase.forms.push(form);
        phase.acknowledgedMs.push(told?.ms ?? Number.POSITIVE_INFINITY);
      }
    }),
  );
  await eventually(
    () => countOutcomes(setting, phase.forms).ok === phase.forms.length,
    PATIENCE_MS,
  );
  const opens = slack.apiCalls.slice(callsBefore).filter(({ method }) => method === 'views.open');
  // A trigger ID starts with the time at which the stand-in issued it, in ms.
  phase.openMs = opens.map(
    ({ at, args }) => at.getTime() - Number.parseInt(String(args.trigger_id), 10),
  );
  const ways = phase.forms.map((form) => timeToService(setting, form));
  phase.deliveredMs = ways.map(({ ms }) => ms);
  phase.letPast = ways.map(({ reads }) => reads);
  return phase;
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

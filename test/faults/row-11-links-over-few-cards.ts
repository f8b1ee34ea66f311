import { setTimeout as sleep } from 'node:timers/promises';
import { type AppProcess, CLOCK_ENTRY } from './app-process.ts';
import { type Figures, median, p95, type Row, type RowOptions } from './figures.ts';
import { MINUTE_MS, moveClocks, SECOND_MS } from './moved-clock.ts';
import { eventually } from './outcomes.ts';
import { type Posted, postLink, showsCard, unfurledAt } from './posting.ts';
import { type Chance, chanceOf } from './random.ts';
import { type Setting, withSetting } from './setting.ts';

const TITLE = '500 messages with one link each to 50 cards, in 60 s';
const MUTATION =
  'a card must be at most a minute old when shown, instead of when its link was posted (show-links.ts): 16 calls for 8 cards';
/** The full size; a smaller run has as many messages per card, and posts them faster. */
const FULL = 500;
const MESSAGES_A_CARD = 10;
const POSTED_WITHIN_MS = MINUTE_MS;
const POSTED_WITHIN_MS_QUICKLY = 4 * SECOND_MS;
/** What the service allows a key (api.md 8), and Slack's tier 3 for `chat.unfurl`. */
const SERVICE_ALLOWS = 60;
const SLACK_ALLOWS = 50;
/** How many times fewer links the last card has than the first, if some are more popular. */
const SKEW = 3;
/** From the last message until all are unfurled: with Slack's limit, 500 take ten minutes. */
const PATIENCE_MS = 15 * MINUTE_MS;
/** How far clocks are moved at once if nothing waits in real time. */
const STEP_MS = 5 * SECOND_MS;
const DONE_WITHIN_MS = 400;
const TOO_MANY_REQUESTS = 429;

type Scene = { isSkewed: boolean; isSlackLimiting: boolean };
type Seen = {
  messages: number;
  unfurled: number;
  reads: number;
  cards: number;
  refusedByService: number;
  refusedBySlack: number;
  waitsMs: number[];
};

/** Each run is one message in each of four scenes: evenly spread or not, with Slack's limit or not. */
async function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  const scenes: [string, Seen][] = [];
  for (const isSlackLimiting of [false, true]) {
    const both = [false, true].map(async (isSkewed): Promise<[string, Seen]> => {
      const name = nameOf({ isSkewed, isSlackLimiting });
      const seen = await flood({ isSkewed, isSlackLimiting }, { seed, messages: runs });
      say(`${name}: ${inWords(seen)}`);
      return [name, seen];
    });
    scenes.push(...(await Promise.all(both)));
  }
  const all = scenes.map(([, seen]) => seen);
  const sum = (count: (one: Seen) => number) => all.reduce((total, one) => total + count(one), 0);
  const most = (count: (one: Seen) => number) => Math.max(...all.map(count));
  return {
    row: 11,
    title: TITLE,
    counts: {
      messages: sum(({ messages }) => messages),
      unfurled: sum(({ unfurled }) => unfurled),
      'most reads of a card in a scene': most(({ reads, cards }) => reads / cards),
      '429s from the service': sum(({ refusedByService }) => refusedByService),
    },
    measured: Object.fromEntries(scenes.map(([name, seen]) => [`${name}:`, inWords(seen)])),
    holds: all.every(
      ({ messages, unfurled, reads, cards, refusedByService }) =>
        unfurled === messages && reads <= cards && refusedByService === 0,
    ),
    mutation: MUTATION,
  };
}

const nameOf = ({ isSkewed, isSlackLimiting }: Scene) =>
  `${isSkewed ? 'skewed' : 'even'}, ${isSlackLimiting ? `Slack accepts ${SLACK_ALLOWS} a minute` : 'Slack accepts all'}`;

const inSeconds = (ms: number) => `${(ms / SECOND_MS).toFixed(1)} s`;

const inWords = ({ reads, cards, refusedBySlack, waitsMs }: Seen) =>
  `${reads} calls for ${cards} cards, median ${inSeconds(median(waitsMs))}, p95 ${inSeconds(p95(waitsMs))}, 429s from Slack ${refusedBySlack}`;

function flood(
  scene: Scene,
  { seed, messages }: { seed: number; messages: number },
): Promise<Seen> {
  return withSetting({ seed, requestsPerMinute: SERVICE_ALLOWS }, async (setting) => {
    const { service, slack } = setting;
    const chance = chanceOf(seed);
    const isFull = messages >= FULL;
    const app = await setting.start({ entry: CLOCK_ENTRY });
    if (scene.isSlackLimiting) slack.faults.limit('chat.unfurl', SLACK_ALLOWS);
    const cards = Array.from(
      { length: Math.ceil(messages / MESSAGES_A_CARD) },
      (_, index) => service.cards.add({ title: `Card number ${index}` }).id,
    );
    const links: Posted[] = [];
    const withinMs = isFull ? POSTED_WITHIN_MS : POSTED_WITHIN_MS_QUICKLY;
    const begun = performance.now();
    for (let index = 0; index < messages; index += 1) {
      const due = begun + (withinMs * index) / messages;
      await sleep(Math.max(due - performance.now(), 0));
      const cardId = pick(cards, chance, scene);
      links.push(await postLink(setting, chance, cardId));
    }
    await drained(setting, app, { links, isFull });
    return judge(setting, links);
  });
}

function pick(cards: readonly string[], chance: Chance, { isSkewed }: Scene): string {
  const share = isSkewed ? chance.next() ** SKEW : chance.next();
  return cards[Math.floor(share * cards.length)] ?? '';
}

/** Waits until every link is unfurled; in a smaller run, clocks are moved instead. */
async function drained(
  setting: Setting,
  app: AppProcess,
  { links, isFull }: { links: readonly Posted[]; isFull: boolean },
): Promise<void> {
  const isDone = () => links.every(({ message }) => message.attachments.length > 0);
  if (isFull) {
    await eventually(isDone, PATIENCE_MS);
    return;
  }
  const { acme, admin, general, clock } = setting;
  for (let step = 0; step * STEP_MS < PATIENCE_MS; step += 1) {
    if (await eventually(isDone, DONE_WITHIN_MS)) return;
    await moveClocks(setting, app, clock.offsetMs + STEP_MS);
    // A link to no card wakes the app.
    await acme.as(admin).post(general, 'https://app.example.com/brand/1');
  }
}

function judge(setting: Setting, links: readonly Posted[]): Seen {
  const { service, slack } = setting;
  const calls = slack.apiCalls.filter(({ method }) => method === 'chat.unfurl');
  const shownAt = unfurledAt(setting);
  return {
    messages: links.length,
    unfurled: links.filter((link) => showsCard(setting, link)).length,
    reads: service.calls({ operation: 'getCard' }).length,
    cards: new Set(links.map(({ cardId }) => cardId)).size,
    refusedByService: service.ledger.filter(({ status }) => status === TOO_MANY_REQUESTS).length,
    refusedBySlack: calls.filter(({ status }) => status === TOO_MANY_REQUESTS).length,
    waitsMs: links.map(
      ({ message, at }) => (shownAt.get(message.ts) ?? Number.POSITIVE_INFINITY) - at.getTime(),
    ),
  };
}

export const linksOverFewCardsRow: Row = {
  row: 11,
  title: TITLE,
  runs: { full: FULL, quick: 60 },
  run,
};

import { setTimeout as sleep } from 'node:timers/promises';
import { asObject } from '../stand-ins/slack/json.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { type AppProcess, CLOCK_ENTRY } from './app-process.ts';
import { memberOf } from './forms.ts';
import { type Figures, inMs, median, p95, type Row, type RowOptions } from './row.ts';
import {
  dueJobs,
  MINUTE_MS,
  moveClocks,
  NO_CARD,
  type Setting,
  withDatabase,
  withSetting,
} from './setting.ts';

/** What the service allows a key (api.md, section 8). */
const PER_MINUTE = 60;
/** In each part, a person looks at that many cards that weren't read before. */
const LOOKS = 30;
const ANSWERED_WITHIN_MS = 10_000;
/** Longer than a key's calls count, and than watched cards that can't be read now wait. */
const PART_MS = 15 * MINUTE_MS;

/** Each run is a watched card. */
function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  return withSetting({ seed, people: 1, requestsPerMinute: PER_MINUTE }, async (setting) => {
    const app = await setting.start({ entry: CLOCK_ENTRY });
    const { service } = setting;
    // Everything happens for the first time.
    await lookAt(setting, 'First');
    await moveClocks(setting, app, PART_MS);
    const calm = await lookAt(setting, 'Calm');
    for (let card = 1; card <= runs; card += 1) {
      await watch(setting, service.cards.add({ title: `Watched ${card}` }).id);
    }
    say(`${runs} cards are watched`);
    await makeDue(setting, app, 2 * PART_MS);
    const burst = await lookAt(setting, 'Burst');
    await settled(setting);
    await makeDue(setting, app, 3 * PART_MS);
    // Each was tried once. Those that the budget doesn't allow are tried again within two minutes, one by one.
    await settled(setting);
    const busy = await lookAt(setting, 'Busy');
    return figuresOf(setting, { runs, calm, burst, busy });
  });
}

function figuresOf(
  { service }: Setting,
  { runs, calm, burst, busy }: { runs: number; calm: Look[]; burst: Look[]; busy: Look[] },
): Figures {
  const all = [...calm, ...burst, ...busy];
  const unanswered = all.filter(({ isShown }) => !isShown).length;
  const refused = service.calls().filter(({ status }) => status === 429).length;
  const window = service.largestWindow();
  const times = (looks: Look[]) => looks.map(({ ms }) => ms);
  const [calmMs, burstMs, busyMs] = [times(calm), times(burst), times(busy)];
  const each = (of: (ms: number[]) => number) =>
    `${inMs(of(calmMs))} calm, ${inMs(of(burstMs))} as they come due, ${inMs(of(busyMs))} while they wait`;
  const ratio = (ms: number[]) => (median(ms) / median(calmMs)).toFixed(2);
  return {
    counts: {
      'watched cards': runs,
      'cards looked at': all.length,
      'not shown': unanswered,
      'refused with 429': refused,
    },
    measured: {
      'until shown, p50': each(median),
      'times as long': `${ratio(burstMs)} as they come due, ${ratio(busyMs)} while they wait`,
      p95: each(p95),
      'largest window of 60 s': String(window),
    },
    holds: unanswered + refused === 0 && window <= PER_MINUTE,
  };
}

/** Moves the clock so that every watched card is due, and lets the app notice. */
async function makeDue(setting: Setting, app: AppProcess, offsetMs: number): Promise<void> {
  const { acme, admin, general } = setting;
  await moveClocks(setting, app, offsetMs);
  await acme.as(admin).post(general, NO_CARD);
}

const settled = ({ database, clock }: Setting): Promise<void> =>
  withDatabase(database, async (db) => {
    while ((await dueJobs(db, clock.now())) > 0) await sleep(20);
  });

async function watch(setting: Setting, value: string): Promise<void> {
  const { slack, acme, general } = setting;
  const text = { type: 'plain_text', text: 'Watch' };
  const button = { type: 'button', action_id: 'card-watch', value, text };
  const blocks = [
    { type: 'actions', elements: [{ ...button, accessibility_label: `Watch: ${value}` }] },
  ];
  const response = await fetch(`${slack.apiUrl}chat.postMessage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${acme.botToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ channel: general.id, text: 'A card', blocks }),
  });
  const { ts } = asObject(await response.json());
  const message = acme.messages(general).find((one) => one.ts === ts);
  if (!message) throw new Error('The message was not posted');
  await memberOf(setting).click({ message, text: 'Watch' });
}

type Look = { ms: number; isShown: boolean };

/** Looks at cards one after the other with `/design-request status`. */
async function lookAt(setting: Setting, name: string): Promise<Look[]> {
  const { acme, general, service } = setting;
  const me = memberOf(setting);
  const looks: Look[] = [];
  for (let card = 1; card <= LOOKS; card += 1) {
    const { id, title } = service.cards.add({ title: `${name}, card ${card}` });
    const isShown = () =>
      acme.ephemerals(me.user).some((one) => textOfMessage(one).includes(title));
    const began = performance.now();
    await me.command(general, `status ${id}`);
    while (!isShown() && performance.now() - began < ANSWERED_WITHIN_MS) await sleep(1);
    looks.push({ ms: performance.now() - began, isShown: isShown() });
  }
  return looks;
}

export const watchingAndPeopleRow: Row = {
  row: 25,
  title: 'hundreds of watched cards are due while a person looks at others, all with one key',
  mutation: 'watching leaves no calls to others (call-class.ts): 6 of 60 cards not shown, p95 10 s',
  runs: { full: 500, quick: 30 },
  run,
};

import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerEntry } from '../../stand-ins/design-service/ledger.ts';
import { type AppProcess, CLOCK_ENTRY } from '../app-process.ts';
import type { RowOptions } from '../figures.ts';
import { HOUR_MS, MINUTE_MS, moveClocks, SECOND_MS } from '../moved-clock.ts';
import { closeForms, type Order, prepareAll, submit } from '../ordering.ts';
import { countOutcomes, creations, eventually } from '../outcomes.ts';
import { postLink, unfurlsOf } from '../posting.ts';
import { chanceOf } from '../random.ts';
import { type Setting, withSetting } from '../setting.ts';

const PATIENCE_MS = 20_000;
/** Everybody looks at the same card, which is in memory: a link wakes the app and costs no call. */
const KNOWN_CARD = 'card-1001';
/** A woken app has sent by then what it means to send. */
const WOKEN_WITHIN_MS = 400;
/** What the app may wait longer than it must. */
const LATER_BY_MS = 2 * SECOND_MS;

type Shape = {
  name: string;
  header(now: Date): string | number | undefined;
  /** How long the app must wait, in ms, from the 429; undefined for as long as its other headers say. */
  waitMs: number | undefined;
};

/** Whole seconds, since an HTTP date has no others. */
const DATE_AHEAD_MS = 90 * SECOND_MS;
const SHAPES: readonly Shape[] = [
  { name: 'seconds', header: () => 120, waitMs: 120 * SECOND_MS },
  {
    name: 'HTTP date',
    header: (now) => new Date(now.getTime() + DATE_AHEAD_MS).toUTCString(),
    waitMs: DATE_AHEAD_MS - SECOND_MS,
  },
  // Clamped to a second, so that nobody is called in a loop.
  {
    name: 'past date',
    header: (now) => new Date(now.getTime() - HOUR_MS).toUTCString(),
    waitMs: SECOND_MS,
  },
  { name: 'garbage', header: () => 'in a little while', waitMs: undefined },
  { name: 'none', header: () => undefined, waitMs: undefined },
  { name: 'zero', header: () => 0, waitMs: SECOND_MS },
  // Clamped to an hour, so that a mistake does not bury the request.
  { name: '1e9', header: () => 1_000_000_000, waitMs: HOUR_MS },
];

type Scene = { setting: Setting; app: AppProcess };

/** What the shapes showed together: in which a call came too early, and in which none came in time. */
export type Waits = {
  orders: number;
  counts: Outcomes;
  early: string[];
  late: string[];
  earlyAfterKill: number;
};
type Outcomes = ReturnType<typeof countOutcomes>;

/**
 * Has forms sent into a 429 with each shape of Retry-After, and moves the clocks to shortly before and
 * shortly after the moment that each means. Every second time the app is killed meanwhile.
 *
 * @param options.runs how many forms for each shape
 */
export function waitAsToldTo({ seed, runs, say }: RowOptions): Promise<Waits> {
  return withSetting({ seed, people: runs }, async (setting) => {
    const scene: Scene = { setting, app: await setting.start({ entry: CLOCK_ENTRY }) };
    await knowTheCard(setting);
    const orders: Order[] = [];
    const early: string[] = [];
    const late: string[] = [];
    let earlyAfterKill = 0;
    for (const [index, shape] of SHAPES.entries()) {
      const round = await answerBusy(scene, shape, index % 2 === 1);
      orders.push(...round.orders);
      if (round.early > 0) early.push(shape.name);
      earlyAfterKill += round.earlyAfterKill;
      if (round.late > 0) late.push(shape.name);
      say(shape.name);
    }
    await eventually(() => countOutcomes(setting, orders).ok === orders.length, PATIENCE_MS);
    const counts = countOutcomes(setting, orders);
    return { orders: orders.length, counts, early, late, earlyAfterKill };
  });
}

async function knowTheCard(setting: Setting): Promise<void> {
  const posted = await postLink(setting, chanceOf(0), KNOWN_CARD);
  await setting.slack.until(() => unfurlsOf(setting, posted) > 0, 'the unfurl', PATIENCE_MS);
}

/** @param restarted whether the app is killed and started anew while it waits */
async function answerBusy(scene: Scene, shape: Shape, restarted: boolean) {
  const { setting } = scene;
  const { service, people, acme, clock } = setting;
  await Promise.all(people.map((user) => closeForms(acme.as(user))));
  const titles = people.map((_, index) => `${shape.name}, form ${index + 1}`);
  const orders = await prepareAll(setting, titles);
  const busy = service.faults.add({
    operation: 'createCard',
    kind: 'rate-limited',
    ...(shape.header(clock.now()) === undefined ? {} : { retryAfter: shape.header(clock.now()) }),
  });
  await Promise.all(orders.map(submit));
  const told = () => orders.every(({ by }) => by.sees().includes('goes out by itself'));
  if (!(await eventually(told, PATIENCE_MS))) throw new Error(`Nobody was told: ${shape.name}`);
  busy();
  // The first 429 may hold back the other forms, which then never meet one of their own.
  const refused = refusalsOf(setting, titles);
  if (refused.length === 0) throw new Error(`No 429: ${shape.name}`);
  const moments = refused.map((entry) => earliest(setting, entry, shape));
  const first = Math.min(...moments);
  const last = Math.max(...moments);

  const calls = service.ledger.length;
  if (restarted) await restart(scene);
  if (first - clock.now().getTime() > SECOND_MS) await wakeAt(scene, first - SECOND_MS);
  const tooEarly = service.ledger.slice(calls).filter(({ at }) => at.getTime() < first);
  await wakeAt(scene, last + LATER_BY_MS);
  const arrived = () => sentAgain(setting, titles).length >= orders.length;
  await eventually(arrived, PATIENCE_MS);
  const early = tooEarly.length;
  return { orders, early, earlyAfterKill: restarted ? early : 0, late: arrived() ? 0 : 1 };
}

/** The key was told to wait, and so is the next process with it, by the database. */
async function restart(scene: Scene): Promise<void> {
  const { setting } = scene;
  await scene.app.kill();
  scene.app = await setting.start({ entry: CLOCK_ENTRY });
  await scene.app.setClockOffset(setting.clock.offsetMs);
}

/** Moves all clocks to a moment and lets something happen, so that the app looks what is due. */
async function wakeAt({ setting, app }: Scene, moment: number): Promise<void> {
  const offsetMs = Math.max(setting.clock.offsetMs, moment - Date.now());
  await moveClocks(setting, app, offsetMs);
  await postLink(setting, chanceOf(0), KNOWN_CARD);
  await setting.slack.idle();
  await sleep(WOKEN_WITHIN_MS);
}

const refusalsOf = ({ service }: Setting, titles: readonly string[]) =>
  service.calls({ operation: 'createCard' }).filter(({ status, requestBody }) => {
    const body = JSON.stringify(requestBody);
    return status === 429 && titles.some((title) => body.includes(`"${title}"`));
  });

const sentAgain = (setting: Setting, titles: readonly string[]) =>
  creations(setting).filter(({ title, executed }) => executed && titles.includes(title));

function earliest(setting: Setting, entry: LedgerEntry, { waitMs }: Shape): number {
  const at = entry.at.getTime();
  return waitMs === undefined ? windowEnd(setting, entry) : at + waitMs;
}

/** What X-RateLimit-Reset said: the service counts in windows of a minute, the first call begins one. */
function windowEnd({ service }: Setting, until: LedgerEntry): number {
  let start = Number.NEGATIVE_INFINITY;
  for (const { at } of service.ledger) {
    if (at.getTime() >= start + MINUTE_MS) start = at.getTime();
    if (at.getTime() >= until.at.getTime()) break;
  }
  return start + MINUTE_MS;
}

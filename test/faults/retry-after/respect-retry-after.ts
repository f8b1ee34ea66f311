import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerEntry } from '../../stand-ins/design-service/ledger.ts';
import { type AppProcess, CLOCK_ENTRY } from '../app-process.ts';
import type { RowOptions } from '../figures.ts';
import { closeForms, prepareAll, type SentForm, submit } from '../forms.ts';
import { HOUR_MS, MINUTE_MS, moveClocks, SECOND_MS } from '../moved-clock.ts';
import { countOutcomes, creations, eventually } from '../outcomes.ts';
import { postLink, unfurlsOf } from '../posting.ts';
import { chanceOf } from '../random.ts';
import { type Setting, withSetting } from '../setting.ts';

const PATIENCE_MS = 20_000;
/** Everyone links to the same cached card: such a link wakes the app without a call. */
const KNOWN_CARD = 'card-1001';
/** By then a woken app has sent what it is going to send. */
const WOKEN_WITHIN_MS = 400;
/** How much longer than necessary the app may wait. */
const LATER_BY_MS = 2 * SECOND_MS;

type Shape = {
  name: string;
  header(now: Date): string | number | undefined;
  /** How long the app must wait, in ms, from the 429; undefined for as long as its other headers say. */
  waitMs: number | undefined;
};

/** Whole seconds, since an HTTP date has no fractions. */
const DATE_AHEAD_MS = 90 * SECOND_MS;
const SHAPES: readonly Shape[] = [
  { name: 'seconds', header: () => 120, waitMs: 120 * SECOND_MS },
  {
    name: 'HTTP date',
    header: (now) => new Date(now.getTime() + DATE_AHEAD_MS).toUTCString(),
    waitMs: DATE_AHEAD_MS - SECOND_MS,
  },
  // Clamped to a second, so that the service isn't called in a loop.
  {
    name: 'past date',
    header: (now) => new Date(now.getTime() - HOUR_MS).toUTCString(),
    waitMs: SECOND_MS,
  },
  { name: 'garbage', header: () => 'in a little while', waitMs: undefined },
  { name: 'none', header: () => undefined, waitMs: undefined },
  { name: 'zero', header: () => 0, waitMs: SECOND_MS },
  // Clamped to an hour, so that a mistake doesn't delay the request for good.
  { name: '1e9', header: () => 1_000_000_000, waitMs: HOUR_MS },
];

type Scene = { setting: Setting; app: AppProcess };

/** The results for all shapes: those with a call that was too early, and those without a call in time. */
export type Waits = {
  forms: number;
  counts: Outcomes;
  early: string[];
  late: string[];
  earlyAfterKill: number;
};
type Outcomes = ReturnType<typeof countOutcomes>;

/**
 * Sends forms into a 429 with each shape of Retry-After, and moves the clocks to shortly before and shortly
 * after the time that each means. Every second time the app is killed meanwhile.
 *
 * @param options.runs how many forms for each shape
 */
export function respectRetryAfter({ seed, runs, say }: RowOptions): Promise<Waits> {
  return withSetting({ seed, people: runs }, async (setting) => {
    const scene: Scene = { setting, app: await setting.start({ entry: CLOCK_ENTRY }) };
    await cacheCard(setting);
    const forms: SentForm[] = [];
    const early: string[] = [];
    const late: string[] = [];
    let earlyAfterKill = 0;
    for (const [index, shape] of SHAPES.entries()) {
      const round = await sendInto429(scene, shape, index % 2 === 1);
      forms.push(...round.forms);
      if (round.early > 0) early.push(shape.name);
      earlyAfterKill += round.earlyAfterKill;
      if (round.late > 0) late.push(shape.name);
      say(shape.name);
    }
    await eventually(() => countOutcomes(setting, forms).ok === forms.length, PATIENCE_MS);
    const counts = countOutcomes(setting, forms);
    return { forms: forms.length, counts, early, late, earlyAfterKill };
  });
}

async function cacheCard(setting: Setting): Promise<void> {
  const posted = await postLink(setting, chanceOf(0), KNOWN_CARD);
  await setting.slack.until(() => unfurlsOf(setting, posted) > 0, 'the unfurl', PATIENCE_MS);
}

/** @param restarted whether the app is killed and restarted while it waits */
async function sendInto429(scene: Scene, shape: Shape, restarted: boolean) {
  const { setting } = scene;
  const { service, people, acme, clock } = setting;
  await Promise.all(people.map((user) => closeForms(acme.as(user))));
  const titles = people.map((_, index) => `${shape.name}, form ${index + 1}`);
  const forms = await prepareAll(setting, titles);
  const busy = service.faults.add({
    operation: 'createCard',
    kind: 'rate-limited',
    ...(shape.header(clock.now()) === undefined ? {} : { retryAfter: shape.header(clock.now()) }),
  });
  await Promise.all(forms.map(submit));
  const told = () => forms.every(({ by }) => by.sees().includes('Your request is saved'));
  if (!(await eventually(told, PATIENCE_MS))) throw new Error(`Nobody was told: ${shape.name}`);
  busy();
  // The first 429 may hold back the other forms, which then never get one of their own.
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
  const arrived = () => sentAgain(setting, titles).length >= forms.length;
  await eventually(arrived, PATIENCE_MS);
  const early = tooEarly.length;
  return { forms, early, earlyAfterKill: restarted ? early : 0, late: arrived() ? 0 : 1 };
}

/** The key was told to wait, and so is the next process with it, through the database. */
async function restart(scene: Scene): Promise<void> {
  const { setting } = scene;
  await scene.app.kill();
  // From the start: a wait begins again if the clock was set back.
  const env = { CLOCK_OFFSET_MS: String(setting.clock.offsetMs) };
  scene.app = await setting.start({ entry: CLOCK_ENTRY, env });
}

/** Moves all clocks to a given time and wakes the app, so that it checks what is due. */
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

/** The time in X-RateLimit-Reset: the service counts in windows of a minute, starting with the first call. */
function windowEnd({ service }: Setting, until: LedgerEntry): number {
  let start = Number.NEGATIVE_INFINITY;
  for (const { at } of service.ledger) {
    if (at.getTime() >= start + MINUTE_MS) start = at.getTime();
    if (at.getTime() >= until.at.getTime()) break;
  }
  return start + MINUTE_MS;
}

import { type Chance, chanceOf } from './random.ts';
import { type Figures, median, p95, type Row, type RowOptions } from './row.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS, type Setting, withSetting } from './setting.ts';
import { type Day, openDay, type WatchedCard } from './watched-day/stage.ts';
import type { TeamChange } from './watched-day/team.ts';

/** Compares the messages in the thread where a card is watched with what happened to it. */
function toldAbout({ team, message, firstStatus, changes }: WatchedCard) {
  const messages = team.workspace
    .messages(team.channel)
    .filter(({ threadTs }) => threadTs === message.ts)
    .map(({ ts, text }) => ({ at: Number(ts) * 1_000, ...readText(text) }));

  let status = firstStatus;
  let files = 0;
  let twice = 0;
  const told = messages.map((one) => {
    // A message that was posted again begins where the previous one ended.
    if (one.from !== undefined && one.from !== status) twice += 1;
    status = one.to ?? status;
    files += one.files;
    return { ...one, allFiles: files };
  });

  let added = 0;
  /** Changes of the status that were undone before the card was read, and what undid them: nothing to tell. */
  let undone = 0;
  /** From each other change until the message that told it, in ms. */
  const delays: number[] = [];
  for (const change of changes) {
    if ('file' in change) added += 1;
    const inMessage = told.find(({ at, to, due, allFiles }) => {
      if (at < change.at) return false;
      if ('file' in change) return allFiles >= added;
      return 'due' in change ? due : to !== undefined;
    });
    if (!inMessage) continue;
    const isUndone =
      'status' in change &&
      changes.some(
        (other) =>
          'status' in other &&
          other.at >= change.at &&
          other.at < inMessage.at &&
          other.status.name === inMessage.from,
      );
    if (isUndone) undone += 1;
    else delays.push(inMessage.at - change.at);
  }
  const lastStatus = changes.findLast((change) => 'status' in change)?.status.name ?? firstStatus;
  const lastDue = changes.findLast((change) => 'due' in change);
  const isDueTold = !lastDue || told.some(({ at, due }) => due && at >= lastDue.at);
  return {
    changes: changes.length,
    messages: messages.length,
    /** Changes that nobody was told about at the end. */
    missed: Number(lastStatus !== status) + Math.max(0, added - files) + Number(!isDueTold),
    /** Changes that were told again. */
    twice: twice + Math.max(0, files - added),
    undone,
    delays,
  };
}

/** @returns what a message says, such as "Card 1: To do → In review · 2 new files · due 03-Dec-2026" */
function readText(text: string) {
  const [, from, to] = /: ([^·:→]+) → ([^·.]+?)(?: ·|\.|$)/.exec(text) ?? [];
  const [, files = '0'] = /(\d+) new file/.exec(text) ?? [];
  return { from, to, files: Number(files), due: / due |: due /.test(text) };
}

/** What the service allows each key (api.md, section 8). */
const PER_MINUTE = 60;
/**
 * How far the clocks are moved at a time. What came due meanwhile runs at once, when a key may make two calls, so with
 * long steps it would make fewer calls than in life.
 */
const STEP_MS = 5 * SECOND_MS;
const WHOLE_DAY_HOURS = 24;
/**
 * A whole day has all cards, a working day some, and an hour, in the tests, a few. Afterwards nothing changes for
 * longer than the longest time between two reads of a card, so that everything was told.
 */
const WHOLE = { teams: 20, cards: 500, afterwardsMs: 3 * HOUR_MS };
const WORKING_DAY_HOURS = 10;
const PART = { teams: 5, cards: 60, afterwardsMs: HOUR_MS };
const LITTLE = { teams: 2, cards: 12, afterwardsMs: 20 * MINUTE_MS };
/** Someone in each workspace posts a link about that often, in ms. */
const LINK_EVERY_MS = 30 * MINUTE_MS;
const MEDIAN_BELOW_MS = 10 * MINUTE_MS;

/** Each run is an hour. With several replicas, one is killed halfway. */
function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  return withSetting({ seed, many: true, people: 1 }, async (setting) => {
    const { teams, cards, afterwardsMs } = sizeOf(runs);
    const day = await openDay(setting, { seed, teams, cards, hours: runs });
    try {
      say(`${cards} cards are watched`);
      const began = day.now();
      await pass(setting, day, { hours: runs, afterwardsMs, seed, say });
      return figuresOf(setting, day, { began, hours: runs });
    } finally {
      await day.close();
    }
  });
}

function sizeOf(hours: number): typeof WHOLE {
  if (hours >= WHOLE_DAY_HOURS) return WHOLE;
  return hours >= WORKING_DAY_HOURS ? PART : LITTLE;
}

type Passing = { hours: number; afterwardsMs: number; seed: number; say: RowOptions['say'] };

async function pass(setting: Setting, day: Day, { hours, afterwardsMs, seed, say }: Passing) {
  const chance = chanceOf(seed);
  const { service } = setting;
  const began = day.now();
  const end = began + hours * HOUR_MS;
  const changes = day.cards
    .flatMap(({ id, changes: own }) => own.map((change) => ({ id, change })))
    .sort((a, b) => a.change.at - b.change.at);
  let isKilled = day.processes.length < 2;
  for (let at = began; at < end + afterwardsMs; at += STEP_MS) {
    await day.moveTo(at);
    while (changes[0] && changes[0].change.at <= at) makeChange(service, changes.shift());
    if (at < end) await postLinks(setting, day, chance);
    if (!isKilled && at > began + (hours * HOUR_MS) / 2) {
      isKilled = true;
      const [victim] = day.processes.splice(0, 1);
      await victim?.kill();
      say('a replica was killed');
    }
    await day.settle();
    if ((at - began) % HOUR_MS < STEP_MS) say(`${Math.round((at - began) / HOUR_MS)} h`);
  }
}

function makeChange(
  { cards }: Setting['service'],
  planned: { id: string; change: TeamChange } | undefined,
): void {
  if (!planned) return;
  const { id, change } = planned;
  if ('file' in change) cards.addFile(id, { name: change.file });
  else if ('due' in change) cards.update(id, { dueDate: change.due });
  else cards.update(id, { status: change.status });
}

async function postLinks({ cardUrl }: Setting, { teams, cards }: Day, chance: Chance) {
  for (const team of teams) {
    const [first, ...others] = cards.filter((card) => card.team === team);
    if (!first || !chance.is(STEP_MS / LINK_EVERY_MS)) continue;
    const card = chance.pick([first, ...others]);
    await team.workspace.as(team.admin).post(team.channel, cardUrl(card.id));
  }
}

function figuresOf(
  { service }: Setting,
  { cards }: Day,
  { began, hours }: { began: number; hours: number },
): Figures {
  const told = cards.map(toldAbout);
  const sum = (of: (one: (typeof told)[number]) => number) =>
    told.reduce((all, one) => all + of(one), 0);
  const delays = told.flatMap((one) => one.delays);
  const calls = service.calls().filter(({ at }) => at.getTime() >= began);
  const perHour = Array.from({ length: hours }, () => 0);
  const perKey = new Map<string, number>();
  for (const { at, keyEnding = '' } of calls) {
    const hour = Math.floor((at.getTime() - began) / HOUR_MS);
    if (hour >= hours) continue;
    perHour[hour] = (perHour[hour] ?? 0) + 1;
    const key = `${keyEnding} ${hour}`;
    perKey.set(key, (perKey.get(key) ?? 0) + 1);
  }
  const keys = new Set(cards.map(({ team }) => team)).size;
  const allowed = keys * PER_MINUTE * (HOUR_MS / MINUTE_MS);
  const all = perHour.reduce((total, count) => total + count, 0);
  const missed = sum((one) => one.missed);
  const twice = sum((one) => one.twice);
  const refused = calls.filter(({ status }) => status === 429).length;
  const inMinutes = (ms: number) => `${(ms / MINUTE_MS).toFixed(1)} min`;
  return {
    counts: {
      cards: cards.length,
      changes: sum((one) => one.changes),
      'undone before they were read': sum((one) => one.undone),
      messages: sum((one) => one.messages),
      'not told': missed,
      'told twice': twice,
      'refused with 429': refused,
    },
    measured: {
      'calls per hour, on average': `${Math.round(all / hours)} of ${allowed}`,
      'in the busiest hour': String(Math.max(...perHour)),
      'with one key in an hour, at most': `${Math.max(...perKey.values())} of ${PER_MINUTE * (HOUR_MS / MINUTE_MS)}`,
      'from change to message, p50': inMinutes(median(delays)),
      p95: inMinutes(p95(delays)),
      'at most': inMinutes(Math.max(...delays)),
    },
    holds: missed + twice + refused === 0 && delays.length > 0 && median(delays) < MEDIAN_BELOW_MS,
  };
}

export const watchedDayRow: Row = {
  row: 24,
  title: 'a simulated day of watched cards, which teams change in working hours',
  mutation:
    'what was told is not stored with the change (record-reading.ts), in an hour: 217 told twice for 10 changes',
  runs: { full: WHOLE_DAY_HOURS, quick: 1 },
  run,
};

import { execFile } from 'node:child_process';
import { open, stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { hasField } from '../sandbox/complete-form.ts';
import type { AppProcess } from './app-process.ts';
import { closeForms, maySubmit, newWave, type SentForm } from './forms.ts';
import { creations, eventually, outcomeOf } from './outcomes.ts';
import { type Posted, postLink } from './posting.ts';
import { type Chance, chanceOf } from './random.ts';
import type { Figures, Row, RowOptions } from './row.ts';
import { type Setting, withSetting } from './setting.ts';

/** Starts a fault; returns a function that ends it and gives the app that runs from then on. */
type Begin = (
  setting: Setting,
  app: AppProcess,
  chance: Chance,
) => Promise<() => Promise<AppProcess>>;

const PEOPLE = 6;
const LINKS = 6;
/** Some people act just before it begins, so that their work is in progress when it does. */
const BEFORE_MS = 300;
const BURST_MS = 1_500;
const SLOW_SERVICE_MS = 800;
const REPEATS = 5;
const REPEAT_AFTER_MS = 1_000;
const DONE_WITHIN_MS = 40_000;
/** The first lock is short, the others as long as the table says. In ms. */
const SHORT_LOCK_MS = 2_500;
const LOCK_MS = 10_000;
const BROKEN_MS = 3_000;
/** Longer than any write by the app. */
const PATIENCE = { timeout: 5_000 };

/** Another connection holds the write lock, as a careless backup tool does. */
const locked: Begin = async ({ databasePath }, app) => {
  const other = new DatabaseSync(databasePath, PATIENCE);
  other.exec('BEGIN EXCLUSIVE');
  return async () => {
    other.close();
    return app;
  };
};

/**
 * None of the app's files may grow beyond some size (setrlimit(2), RLIMIT_FSIZE): writes beyond it fail as on
 * a full disk. Half of the time nothing can be written at all; otherwise the beginning of the log still can.
 */
const diskFull: Begin = async ({ databasePath }, app, chance) => {
  const { size } = await stat(`${databasePath}-wal`);
  await limitFileSize(app, `${chance.is(0.5) ? 0 : chance.below(size)}:unlimited`);
  return async () => {
    await limitFileSize(app, 'unlimited:unlimited');
    return app;
  };
};

const limitFileSize = ({ pid }: AppProcess, limits: string) =>
  promisify(execFile)('prlimit', [`--pid=${pid}`, `--fsize=${limits}`]);

/** The file format's write version and the value that SQLite writes there for WAL; see below. */
const WRITE_VERSION_AT = 18;
const WAL_VERSION = 2;
const VERSION_OF_THE_FUTURE = 3;

/**
 * A write version unknown to SQLite makes a database read-only
 * (https://www.sqlite.org/fileformat.html#file_format_version_numbers). Afterwards the app has to be restarted.
 */
const readOnly: Begin = async (setting, app) => {
  await writeVersion(setting, VERSION_OF_THE_FUTURE);
  return async () => {
    await app.stop();
    await writeVersion(setting, WAL_VERSION);
    return setting.start();
  };
};

/** Changes one byte of the file, after everything in its log has been moved there. */
async function writeVersion({ databasePath }: Setting, version: number): Promise<void> {
  const database = new DatabaseSync(databasePath, PATIENCE);
  try {
    // The app reads the file again only after another process has written to it.
    if (version !== WAL_VERSION) database.exec(`PRAGMA user_version = ${version}`);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
  const file = await open(databasePath, 'r+');
  await file.write(Uint8Array.of(version), 0, 1, WRITE_VERSION_AT);
  await file.close();
}

const FAULTS: readonly { name: string; lastsMs: number; begin: Begin }[] = [
  { name: 'locked', lastsMs: LOCK_MS, begin: locked },
  { name: 'disk full', lastsMs: BROKEN_MS, begin: diskFull },
  { name: 'read-only', lastsMs: BROKEN_MS, begin: readOnly },
];

type Action = {
  what: string;
  /** Does it; repeats it if Slack or the person knows that it wasn't accepted. */
  attempt(): Promise<void>;
  /** Whether it wasn't accepted, and Slack or the person knows. */
  isRefused(): boolean;
  /** Whether its effect has happened and was announced. */
  isDone(): boolean;
};

/** A person presses Send in a filled-in form. If the form says that it wasn't saved, they also change its title. */
function submission(setting: Setting, form: SentForm): Action {
  return {
    what: `the form “${form.title}”`,
    async attempt() {
      const { outcome, errors } = await form.by.submit(form.view);
      if (outcome === 'updated') form.acknowledged = true;
      const isRefused = /couldn’t save your request/.test(Object.values(errors).join());
      // Otherwise it was saved after all, and the form says so by now.
      if (!isRefused || !hasField(form.by, 'Title')) return;
      form.title = `${form.title}, better`;
      await form.by.fill({ Title: form.title });
    },
    isRefused: () => maySubmit(form),
    isDone() {
      const made = cardsOf(setting, (title) => title === form.title);
      return ['ok', 'in doubt and told'].includes(outcomeOf(setting, form, made));
    },
  };
}

/** A person posts a card link; Slack retries the event until it is acknowledged. */
function link(setting: Setting, chance: Chance, cardId: string): Action {
  const { slack } = setting;
  let posted: Posted | undefined;
  return {
    what: `the link to ${cardId}`,
    async attempt() {
      if (posted) await slack.redeliver(posted.delivery, posted.delivery.attempts.length);
      else posted = await postLink(setting, chance, cardId);
      await slack.until(() => posted?.delivery.settled, 'the event', DONE_WITHIN_MS);
    },
    isRefused: () => posted?.delivery.acknowledged === false,
    isDone: () => posted?.message.attachments.length === 1,
  };
}

const cardsOf = (setting: Setting, isOurs: (title: string) => boolean): number =>
  creations(setting).filter(({ executed, title }) => executed && isOurs(title)).length;

const NO_COUNTS = {
  'accepted and done': 0,
  'refused, repeated, and done': 0,
  'silent losses': 0,
  doubled: 0,
  'answers later than 3 s': 0,
  crashes: 0,
};

/** Once the database works again, people and Slack repeat what was refused. @returns also the app that runs now */
async function episode(setting: Setting, chance: Chance, app: AppProcess, turn: number) {
  const { slack, service } = setting;
  const fault = FAULTS[turn % FAULTS.length] ?? FAULTS[0];
  if (!fault) throw new Error('no faults');
  const lastsMs = turn === 0 ? SHORT_LOCK_MS : fault.lastsMs;
  const name = `Episode ${turn + 1}`;
  const forms = await newWave(setting, name);
  const titles = forms.map(({ title }) => title);
  const actions: Action[] = [
    ...forms.map((form) => submission(setting, form)),
    ...Array.from({ length: LINKS }, () =>
      link(setting, chance, service.cards.add({ title: `${name} card` }).id),
    ),
  ];
  const stall = { operation: 'createCard', kind: 'stall', times: PEOPLE / 2 } as const;
  service.faults.add({ ...stall, ms: chance.below(SLOW_SERVICE_MS) });
  const from = slack.deliveries.length;

  // All at once, or spread out.
  const within = chance.is(0.5) ? BURST_MS : BEFORE_MS + lastsMs;
  const acting = Promise.all(
    actions.map(async (action) => {
      await sleep(chance.below(within));
      await action.attempt();
    }),
  );
  // One that fails is reported below.
  acting.catch(() => undefined);
  await sleep(BEFORE_MS);
  const repair = await fault.begin(setting, app, chance);
  await sleep(lastsMs);
  const crashed = app.hasEnded();
  const running = await repair();
  await acting;

  const refused = new Set<Action>();
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const again = actions.filter((action) => action.isRefused());
    for (const action of again) refused.add(action);
    await Promise.all(again.map((action) => action.attempt()));
    await sleep(REPEAT_AFTER_MS);
  }
  await eventually(() => actions.every((action) => action.isDone()), DONE_WITHIN_MS);
  await Promise.all(forms.map(({ by }) => closeForms(by)));

  const lost = actions.filter((action) => !action.isDone());
  const done = actions.filter((action) => !lost.includes(action));
  const counts: typeof NO_COUNTS = {
    'accepted and done': done.filter((action) => !refused.has(action)).length,
    'refused, repeated, and done': done.filter((action) => refused.has(action)).length,
    'silent losses': lost.length,
    // Whatever its author changed the title to, a form is one request.
    doubled: titles.filter((title) => cardsOf(setting, (made) => made.startsWith(title)) > 1)
      .length,
    'answers later than 3 s': slack.deliveries
      .slice(from)
      .flatMap(({ attempts }) => attempts)
      .filter(({ error }) => error === 'timeout').length,
    crashes: crashed ? 1 : 0,
  };
  const what = lost.map((action) => action.what).join(', ');
  return { running, counts, said: `${name}, ${fault.name}: ${JSON.stringify(counts)} ${what}` };
}

function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  return withSetting({ seed, people: PEOPLE }, async (setting) => {
    const chance = chanceOf(seed);
    let app = await setting.start();
    const counts = { ...NO_COUNTS };
    for (let turn = 0; turn < runs; turn += 1) {
      const result = await episode(setting, chance, app, turn);
      app = result.running;
      for (const kind of Object.keys(counts) as (keyof typeof counts)[]) {
        counts[kind] += result.counts[kind];
      }
      say(result.said);
    }
    const { doubled, crashes } = counts;
    const late = counts['answers later than 3 s'];
    return {
      counts,
      measured: { episodes: String(runs) },
      holds:
        counts['accepted and done'] > 0 && counts['silent losses'] + doubled + late + crashes === 0,
    };
  });
}

export const failingDatabaseRow: Row = {
  row: 10,
  title: 'database locked for 10 s, disk full, or read-only',
  mutation:
    'events are acknowledged without waiting for their row (intake.ts): 5 of 6 links lost on a full disk',
  runs: { full: 36, quick: 2 },
  run,
};

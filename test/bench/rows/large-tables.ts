import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { migrate, openDatabase } from '../../../src/store/database.ts';
import type { Schema } from '../../../src/store/tables.ts';
import { fillJobs, fillRequests } from '../../store/plans/large-tables.ts';
import { BY_OAUTH } from '../install-workspaces.ts';
import { spreadOf } from '../rounds.ts';
import type { Measured, Row, RowOptions } from '../row.ts';
import { databasePath } from '../stage.ts';
import type { Subject } from '../subjects/subject.ts';

const ROWS = 100_000;
const DAY_MS = 24 * 60 * 60_000;
/** How often the app is sent a request, in ms. */
const ASK_EVERY_MS = 2;
const LOOK_EVERY_MS = 200;
/** Each round fills and empties a database of some hundred megabytes. */
const MOST_ROUNDS = 3;

type Scene = {
  fill(db: Kysely<Schema>): Promise<void>;
  isOver(db: Kysely<Schema>): Promise<boolean>;
};

const ofOne = sql.lit('T1BENCH0');
const isEmpty = async (db: Kysely<Schema>) => {
  const job = await db.selectFrom('jobs').select('id').limit(1).executeTakeFirst();
  const request = await db.selectFrom('requests').select('id').limit(1).executeTakeFirst();
  return !job && !request;
};

const SCENES = {
  'an uninstalled workspace with 100,000 jobs and requests is deleted': {
    async fill(db) {
      const rows = { count: ROWS, workspaceId: sql<string>`${ofOne}`, at: new Date() };
      await fillJobs(db, { ...rows, state: sql`'done'` });
      await fillRequests(db, { ...rows, state: sql`'created'` });
    },
    isOver: isEmpty,
  },
  '100,000 old jobs and requests are deleted': {
    async fill(db) {
      const at = new Date(Date.now() - 60 * DAY_MS);
      const rows = { count: ROWS, workspaceId: sql<string>`${ofOne}`, at };
      await install(db);
      await fillJobs(db, { ...rows, state: sql`'done'` });
      await fillRequests(db, { ...rows, state: sql`'created'` });
    },
    isOver: isEmpty,
  },
} satisfies Record<string, Scene>;

/** The workspace has the app. */
async function install(db: Kysely<Schema>): Promise<void> {
  await sql`insert into installations (workspace_id, installed_at, version)
    values (${ofOne}, 0, 'bench')`.execute(db);
}

/** The longest wait for an answer during the scene, in ms. */
async function longestWait(options: RowOptions, name: string, scene: Scene): Promise<number> {
  const { stage } = options;
  const service = await stage.openService();
  const path = databasePath(stage.folder, name);
  const launch = stage.app({ service, name, env: BY_OAUTH });
  const db = openDatabase({ path });
  await migrate(db);
  await scene.fill(db);
  const subject = await stage.start(launch);
  try {
    return await longestAnswer(subject, async () => scene.isOver(db));
  } finally {
    await subject.stop();
    await db.destroy();
    for (const part of ['', '-wal', '-shm', '.lock']) await rm(`${path}${part}`, { force: true });
  }
}

async function longestAnswer(subject: Subject, isOver: () => Promise<boolean>): Promise<number> {
  const ended = (async () => {
    while (!(await isOver())) await sleep(LOOK_EVERY_MS);
    return true;
  })();
  let longest = 0;
  for (let over = false; !over; over = await Promise.race([ended, sleep(ASK_EVERY_MS, false)])) {
    const asked = performance.now();
    await (await fetch(`${subject.url}/healthz`)).text();
    longest = Math.max(longest, performance.now() - asked);
  }
  return longest;
}

async function run(options: RowOptions): Promise<Measured[]> {
  const waits = new Map<string, number[]>();
  for (let round = 1; round <= Math.min(options.rounds, MOST_ROUNDS); round += 1) {
    for (const [index, [what, scene]] of Object.entries(SCENES).entries()) {
      const name = `large-${round}-${index}`;
      waits.set(what, [...(waits.get(what) ?? []), await longestWait(options, name, scene)]);
    }
    options.say(`round ${round}`);
  }
  return [...waits].map(([what, all]) => ({
    what: `longest wait for an answer while ${what}`,
    figure: spreadOf(all),
    unit: 'ms',
    target: { bound: 'at most', value: 100 },
  }));
}

export const largeTablesRow: Row = {
  id: 'large-tables',
  title: 'Deleting 100,000 rows',
  how: 'They are in the SQLite database before the app starts; `/healthz` is requested every 2 ms until they are gone.',
  run,
};

import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../../src/store/database.ts';
import { installAcme, installAndConnect } from '../isolation/connect-tenants.ts';
import type { Delivery } from '../stand-ins/slack/dispatch/delivery.ts';
import { isObject } from '../stand-ins/slack/json.ts';
import type { Workspace } from '../stand-ins/slack/workspace.ts';
import type { AppProcess } from './app-process.ts';
import { newWave, sendWave, submit } from './forms.ts';
import { countOutcomes, eventually } from './outcomes.ts';
import { postLink, postLinks } from './posting.ts';
import { type Chance, chanceOf } from './random.ts';
import { type Figures, type Row, type RowOptions, sumOf } from './row.ts';
import { type Setting, withDatabase, withSetting } from './setting.ts';

const ORDERS = [
  ['app_uninstalled', 'tokens_revoked'],
  ['tokens_revoked', 'app_uninstalled'],
] as const;
const PEOPLE = 4;
const LINKS = 5;
const ANSWER_TAKES_MS = 200;
const PATIENCE_MS = 20_000;
/** Work that was in progress at the uninstall has ended by then. */
const QUIET_MS = 500;

type Round = { before: number; left: number; ofOthers: number; wiped: boolean };

type Stage = Setting & {
  app: AppProcess;
  /** Has the app all the time. */
  other: Workspace;
};

/** In each run a workspace uninstalls the app in the middle of its work, and installs it again. */
function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  return withSetting({ seed, many: true, people: PEOPLE }, async (setting) => {
    const chance = chanceOf(seed);
    const stage = await openStage(setting);
    const rounds: Round[] = [];
    for (let round = 0; round < runs; round += 1) {
      rounds.push(await leaveAndReturn(stage, chance, round));
      say(`${round + 1} of ${runs} uninstalls`);
    }
    const left = sumOf(rounds, (round) => round.left);
    const wiped = rounds.filter((round) => round.wiped).length;
    return {
      counts: {
        uninstalls: runs,
        'rows before': sumOf(rounds, (round) => round.before),
        'rows left': left,
        'new installations wiped': wiped,
        'other workspaces wiped': rounds.filter(({ ofOthers }) => ofOthers === 0).length,
      },
      measured: { 'rows left': String(left) },
      holds:
        left + wiped === 0 && rounds.every(({ before, ofOthers }) => before > 0 && ofOthers > 0),
    };
  });
}

async function openStage(setting: Setting): Promise<Stage> {
  const { slack } = setting;
  const other = slack.addWorkspace({ name: 'Other', installed: false });
  const olga = other.addUser({ name: 'Olga', admin: true });
  const lobby = other.addChannel({ name: 'lobby', members: [olga] });
  const app = await setting.start();
  const stage = { ...setting, app, other };
  const key = setting.service.issueKey();
  const at = { app: { url: await app.ready }, slack };
  await installAndConnect(at, { workspace: other, channel: lobby, by: olga, key });
  await installAnew(stage);
  return stage;
}

async function installAnew({ app, service, ...setting }: Stage): Promise<void> {
  await installAcme(setting, await app.ready, service.issueKey());
}

async function leaveAndReturn(stage: Stage, chance: Chance, round: number): Promise<Round> {
  const { acme, other, slack, service } = stage;
  const settled = await sendWave(stage, `Round ${round + 1}`);
  await eventually(() => countOutcomes(stage, settled).ok === settled.length, PATIENCE_MS);
  await postLink(stage, chance);
  const before = await rowsOf(stage, acme.id);
  const leaving = await newWave(stage, `Leaving ${round + 1}`);
  const stall = service.faults.add({ kind: 'stall', ms: ANSWER_TAKES_MS });
  const links = postLinks(stage, chance, LINKS);
  const sent = leaving.map(submit);
  await sleep(chance.below(ANSWER_TAKES_MS));
  const events = uninstall(stage, round);
  const posted = await links;
  await Promise.all(sent);
  await slack.idle();
  await Promise.all(events.map((event) => slack.redeliver(event, 1)));
  await eventually(async () => (await rowsOf(stage, acme.id)) === 0, PATIENCE_MS);
  // Work that was in progress must not store anything again.
  await sleep(QUIET_MS);
  await Promise.all(events.toReversed().map((event) => slack.redeliver(event, 2)));
  // A link event that Slack couldn't deliver before the uninstall.
  await Promise.all(posted.map(({ message }) => deliverLate(stage, message.ts)));
  await sleep(QUIET_MS);
  const left = await rowsOf(stage, acme.id);
  const ofOthers = await rowsOf(stage, other.id);
  stall();
  const wiped = await isWipedAfterReturn(stage, chance, { events, round });
  return { before, left, ofOthers, wiped };
}

async function deliverLate({ slack }: Setting, messageTs: string): Promise<void> {
  const told = slack.deliveries.find(
    ({ payload }) => isObject(payload.event) && payload.event.message_ts === messageTs,
  );
  const eventId = `Ev-late-${messageTs}`;
  await slack.sendSigned(
    JSON.stringify({ ...told?.payload, event_id: eventId }),
    'application/json',
  );
}

/** @returns what Slack sent to the app, in the order of this round */
function uninstall({ acme, slack }: Setting, round: number): Delivery[] {
  const known = slack.deliveries.length;
  acme.uninstall([...(ORDERS[round % ORDERS.length] ?? ORDERS[0])]);
  const types = new Set<unknown>(ORDERS[0]);
  return slack.deliveries
    .slice(known)
    .filter(({ payload }) => isObject(payload.event) && types.has(payload.event.type));
}

/** Installs again, works, gets the old uninstall once more, and checks that everything is still there. */
async function isWipedAfterReturn(
  stage: Stage,
  chance: Chance,
  { events, round }: { events: Delivery[]; round: number },
): Promise<boolean> {
  await installAnew(stage);
  const forms = await sendWave(stage, `Back ${round + 1}`);
  await eventually(() => countOutcomes(stage, forms).ok === forms.length, PATIENCE_MS);
  const rows = await requestsOf(stage);
  for (const [index, event] of (chance.is(0.5) ? events : events.toReversed()).entries()) {
    // Under an ID that the app no longer knows, so it must read the event's content.
    const late = { ...event.payload, event_id: `Ev-late-${round}-${index}` };
    await stage.slack.sendSigned(JSON.stringify(late), 'application/json');
  }
  await sleep(QUIET_MS);
  const works = await canRequest(stage, `Still here ${round + 1}`);
  return !works || rows === 0 || (await requestsOf(stage)) !== rows + PEOPLE;
}

async function canRequest(setting: Setting, title: string): Promise<boolean> {
  try {
    const forms = await sendWave(setting, title);
    const allThere = () => countOutcomes(setting, forms).ok === forms.length;
    return (await eventually(allThere, PATIENCE_MS)) === true;
  } catch {
    return false;
  }
}

/** In every table with a workspace's rows, even ones added later. */
const rowsOf = (setting: Setting, workspaceId: string): Promise<number> =>
  withDatabase(setting.database, async (db) => {
    const tables = (await db.introspection.getTables()).filter(({ columns }) =>
      columns.some(({ name }) => name === 'workspace_id'),
    );
    let rows = 0;
    for (const { name } of tables) rows += await countRows(db, name, workspaceId);
    return rows;
  });

const requestsOf = (setting: Setting) =>
  withDatabase(setting.database, (db) => countRows(db, 'requests', setting.acme.id));

async function countRows(db: Database, table: string, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count
    from ${sql.table(table)} where workspace_id = ${workspaceId}`.execute(db);
  return rows[0]?.count ?? 0;
}

export const uninstallRow: Row = {
  row: 16,
  title: 'uninstall events in both orders, repeated and late, then a new installation',
  mutation:
    'Slack is not asked whether the app is installed (deletion.ts): the new installation is wiped; late events are accepted (workspaces.ts, intake.ts): 5 rows left after 2 uninstalls',
  runs: { full: 10, quick: 2 },
  run,
};

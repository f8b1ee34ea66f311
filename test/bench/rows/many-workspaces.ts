import { setTimeout as sleep } from 'node:timers/promises';
import { parseConfig } from '../../../src/config/config.ts';
import { migrate, openDatabase } from '../../../src/store/database.ts';
import { createStores } from '../../../src/store/stores.ts';
import { workspaceNamed } from '../../installations/ids.ts';
import type { DesignService } from '../../stand-ins/design-service/server.ts';
import { tokenOf } from '../load/answering-slack.ts';
import { compare, ratioOf } from '../rounds.ts';
import { atMost, figure, type Measured, type Row, type RowOptions } from '../row.ts';
import { type Launch, megabytesOf, type Subject } from '../subjects/subject.ts';
import { timeDeliveries } from './time-deliveries.ts';

const INSTALLER = 'U0BENCH001';

/** Additional settings with which the app accepts many workspaces. */
const BY_OAUTH = {
  SLACK_BOT_TOKEN: '',
  DESIGN_API_KEY: '',
  SLACK_CLIENT_ID: '1234567890.0987654321',
  SLACK_CLIENT_SECRET: 'client-secret-of-the-benchmarks',
  PUBLIC_URL: 'https://app.example.com',
};

const workspaceIds = (count: number): string[] =>
  Array.from({ length: count }, (_, number) => `T1BENCH${number}`);

/**
 * Fills an app's database before it starts: many workspaces, each of which has installed the app and connected a
 * key.
 *
 * @param env of the app
 */
async function installWorkspaces(
  env: Record<string, string>,
  { count, service }: { count: number; service: Pick<DesignService, 'issueKey'> },
): Promise<void> {
  const config = parseConfig(env);
  const db = openDatabase(config.database);
  await migrate(db);
  const { keys, installations } = createStores(db, config.encryptionKeys);
  const now = new Date();
  for (const name of workspaceIds(count)) {
    const id = workspaceNamed(name);
    const token = tokenOf(id);
    const bot = { botUserId: 'U0BENCHBOT' };
    const scopes = ['commands', 'links:read', 'links:write'];
    await installations.save({ id, token, ...bot, scopes, installedBy: INSTALLER }, now);
    await keys.save(id, service.issueKey(), INSTALLER, now);
  }
  await db.destroy();
}

const FEW = 10;
const MANY = 10_000;
const LATENCY_TARGET = 1.1;
const MEMORY_TARGET_MB = 50;
const MEMORY_OF_MORE_FORMS_TARGET_MB = 30;
const COMMANDS_A_SECOND = 50;
const COMMANDS = 250;
/** The workspaces that send the timed commands, however many others exist. */
const ACTIVE = workspaceIds(FEW);
/** Memory hardly differs from start to start. */
const MEMORY_ROUNDS = 3;
/** By then nothing of the start is in progress. */
const READY_AFTER_MS = 8_000;

async function run({ stage, rounds, say }: RowOptions): Promise<Measured[]> {
  const few = await stage.start(await knowing(stage, FEW));
  const many = await stage.start(await knowing(stage, MANY));
  await sleep(READY_AFTER_MS);
  const additional = (await megabytesOf(many)) - (await megabytesOf(few));
  const command = { kind: 'command', until: 'views.open' } as const;
  const measure = (subject: Subject) => () =>
    timeDeliveries(stage.load, subject, {
      ...command,
      perSecond: COMMANDS_A_SECOND,
      count: COMMANDS,
      workspaceIds: ACTIVE,
    });
  const contenders = { few: measure(few), many: measure(many) };
  const all = await compare(contenders, { rounds, say });
  await few.stop();
  await many.stop();
  const after = await growthByForms({ stage, rounds: Math.min(rounds, MEMORY_ROUNDS), say });
  return [
    figure(
      'p50 from a command to views.open, relative to 10',
      'ratio',
      ratioOf(all.many.p50, all.few.p50),
      atMost(LATENCY_TARGET),
    ),
    figure('additional memory compared with 10', 'MB', [additional], atMost(MEMORY_TARGET_MB)),
    figure(
      'additional memory after a form in each of 10,000, compared with before the first',
      'MB',
      after.map(({ first }) => first),
    ),
    figure(
      'further memory after a form in each of 10,000 others',
      'MB',
      after.map(({ second }) => second),
      atMost(MEMORY_OF_MORE_FORMS_TARGET_MB),
    ),
    figure('p99, relative to 10', 'ratio', ratioOf(all.many.p99, all.few.p99)),
    figure('p50 with 10,000', 'ms', all.many.p50),
    figure('p50 with 10', 'ms', all.few.p50),
  ];
}

async function knowing(
  stage: RowOptions['stage'],
  count: number,
  name = `workspaces-${count}`,
): Promise<Launch> {
  const service = await stage.openService();
  const launch = stage.app({ service, name, env: BY_OAUTH });
  await installWorkspaces(launch.env ?? {}, { count, service });
  return launch;
}

/** How much a fresh app grows, in MB, when a form is opened in each of 10,000 workspaces, and then in as many others. */
async function growthByForms({ stage, rounds, say }: RowOptions) {
  const all = workspaceIds(2 * MANY);
  const growths: { first: number; second: number }[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const subject = await stage.start(await knowing(stage, 2 * MANY, `workspaces-forms-${round}`));
    const openIn = async (ids: readonly string[]): Promise<number> => {
      await timeDeliveries(stage.load, subject, {
        kind: 'command',
        until: 'views.open',
        perSecond: COMMANDS_A_SECOND,
        count: MANY,
        workspaceIds: ids,
      });
      return megabytesOf(subject);
    };
    await sleep(READY_AFTER_MS);
    const before = await megabytesOf(subject);
    const between = await openIn(all.slice(0, MANY));
    const after = await openIn(all.slice(MANY));
    await subject.stop();
    const growth = { first: between - before, second: after - between };
    growths.push(growth);
    const [first, second] = [Math.round(growth.first), Math.round(growth.second)];
    say(`a form in each of 10,000: ${first} MB more, in 10,000 others: ${second} MB more`);
  }
  return growths;
}

export const manyWorkspacesRow: Row = {
  id: 'workspaces',
  title: '10,000 workspaces compared with 10',
  how: 'Each workspace has installed the app and connected a key; commands come from ten of them. At the end, in three fresh apps, each of 20,000 opens a form once, 50 per second, with lists of 300 brands that are read from the service.',
  run,
};

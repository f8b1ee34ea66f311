import { setTimeout as sleep } from 'node:timers/promises';
import { BY_OAUTH, installWorkspaces, workspaceIds } from '../install-workspaces.ts';
import { inMirroredOrder, ratioOf, spreadOf } from '../rounds.ts';
import type { Measured, Row, RowOptions } from '../row.ts';
import { idleMemoryOf, megabytesOf } from '../subjects/idle-memory.ts';
import type { Launch, Subject } from '../subjects/subject.ts';
import { timeDeliveries } from './delivery-times.ts';

const FEW = 10;
const MANY = 10_000;
const LATENCY_TARGET = 1.1;
const MEMORY_TARGET_MB = 50;
const MEMORY_AFTER_FORMS_TARGET_MB = 150;
const COMMANDS_A_SECOND = 50;
const COMMANDS = 250;
/** The workspaces that send the timed commands, however many others exist. */
const ACTIVE = workspaceIds(FEW);
/** Memory hardly differs from start to start. */
const MEMORY_ROUNDS = 3;
/** The rate at which each of the many sends one command, to fill the caches. */
const EACH_ONCE_A_SECOND = 100;
/** By then V8 may have noticed that nothing happens, and have returned what it doesn't need. */
const SETTLED_AFTER_MS = 45_000;

async function run({ stage, rounds, say }: RowOptions): Promise<Measured[]> {
  const launches = { few: await knowing(stage, FEW), many: await knowing(stage, MANY) };
  const memory = await inMirroredOrder(
    {
      few: async () => ({ mb: await idleMemoryOf(stage, launches.few) }),
      many: async () => ({ mb: await idleMemoryOf(stage, launches.many) }),
    },
    Math.min(rounds, MEMORY_ROUNDS),
  );
  const grown = memory.many.mb.map((mb, round) => mb - (memory.few.mb[round] ?? Number.NaN));
  const few = await stage.start(launches.few);
  const many = await stage.start(launches.many);
  const command = { kind: 'command', until: 'views.open' } as const;
  const measure = (subject: Subject) => () =>
    timeDeliveries(stage.load, subject, {
      ...command,
      ...{ perSecond: COMMANDS_A_SECOND, count: COMMANDS, workspaceIds: ACTIVE },
    });
  const contenders = { few: measure(few), many: measure(many) };
  await inMirroredOrder(contenders, 1);
  const all = await inMirroredOrder(contenders, rounds, (round) => say(`round ${round}`));
  const busy = await memoryAfterAll(stage, many);
  return [
    {
      what: 'p50 from a command to views.open, relative to 10',
      figure: spreadOf(ratioOf(all.many.p50, all.few.p50)),
      unit: 'ratio',
      target: { bound: 'at most', value: LATENCY_TARGET },
    },
    {
      what: 'additional memory compared with 10',
      figure: spreadOf(grown),
      unit: 'MB',
      target: { bound: 'at most', value: MEMORY_TARGET_MB },
    },
    {
      what: 'additional memory after a form in each of 10,000, compared with 10 idle',
      figure: spreadOf(memory.few.mb.map((mb) => busy.settled - mb)),
      unit: 'MB',
      target: { bound: 'at most', value: MEMORY_AFTER_FORMS_TARGET_MB },
    },
    {
      what: 'the same right after the last form',
      figure: spreadOf(memory.few.mb.map((mb) => busy.atOnce - mb)),
      unit: 'MB',
    },
    {
      what: 'p99, relative to 10',
      figure: spreadOf(ratioOf(all.many.p99, all.few.p99)),
      unit: 'ratio',
    },
    { what: 'p50 with 10,000', figure: spreadOf(all.many.p50), unit: 'ms' },
    { what: 'p50 with 10', figure: spreadOf(all.few.p50), unit: 'ms' },
  ];
}

/** Starts the app on a database with this many workspaces. */
async function knowing(stage: RowOptions['stage'], count: number): Promise<Launch> {
  const service = await stage.openService();
  const launch = stage.app({ service, name: `workspaces-${count}`, env: BY_OAUTH });
  await installWorkspaces(launch.env ?? {}, { count, service });
  return launch;
}

/** After a form was opened in each workspace: the caches that hold them are bounded. */
async function memoryAfterAll(stage: RowOptions['stage'], subject: Subject) {
  await timeDeliveries(stage.load, subject, {
    ...{ kind: 'command', until: 'views.open' },
    ...{ perSecond: EACH_ONCE_A_SECOND, count: MANY, workspaceIds: workspaceIds(MANY) },
  });
  const atOnce = await megabytesOf(subject);
  await sleep(SETTLED_AFTER_MS);
  return { atOnce, settled: await megabytesOf(subject) };
}

export const manyWorkspacesRow: Row = {
  id: 'workspaces',
  title: '10,000 workspaces compared with 10',
  how: 'Each workspace has installed the app and connected a key; commands come from ten of them. At the end each of the 10,000 opens a form once.',
  limit:
    'Idle, nothing: installations and keys are found through an index. After the forms, garbage that V8 hasn’t collected: a heap snapshot after 3,000 forms had 44 MB of live objects, code included. The caches hold 5 MiB of text of each kind of list, 1,000 keys, and 300 clients of Slack.',
  run,
};

import { connectKeys } from '../connect-keys.ts';
import { inMirroredOrder, ratioOf, spreadOf } from '../rounds.ts';
import type { Measured, Row, RowOptions } from '../row.ts';
import { idleMemoryOf } from '../subjects/idle-memory.ts';
import type { Launch, Subject } from '../subjects/subject.ts';
import { timeTheWay } from './ways.ts';

const FEW = 10;
const MANY = 10_000;
const LATENCY_TARGET = 1.1;
const MEMORY_TARGET_MB = 50;
const COMMANDS_A_SECOND = 50;
const COMMANDS = 250;
/** Memory hardly differs from start to start. */
const MEMORY_ROUNDS = 3;

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
    timeTheWay(stage.load, subject, { ...command, perSecond: COMMANDS_A_SECOND, count: COMMANDS });
  const contenders = { few: measure(few), many: measure(many) };
  await inMirroredOrder(contenders, 1);
  const all = await inMirroredOrder(contenders, rounds, (round) => say(`round ${round}`));
  return [
    {
      what: 'p50 from a command to views.open, of that with 10',
      figure: spreadOf(ratioOf(all.many.p50, all.few.p50)),
      unit: 'ratio',
      target: { bound: 'at most', value: LATENCY_TARGET },
    },
    {
      what: 'memory beyond that with 10',
      figure: spreadOf(grown),
      unit: 'MB',
      target: { bound: 'at most', value: MEMORY_TARGET_MB },
    },
    {
      what: 'p99, of that with 10',
      figure: spreadOf(ratioOf(all.many.p99, all.few.p99)),
      unit: 'ratio',
    },
    { what: 'p50 with 10,000', figure: spreadOf(all.many.p50), unit: 'ms' },
    { what: 'p50 with 10', figure: spreadOf(all.few.p50), unit: 'ms' },
  ];
}

/** How the app is started on a store of so many workspaces. */
async function knowing(stage: RowOptions['stage'], workspaces: number): Promise<Launch> {
  const service = await stage.openService();
  const launch = stage.app({ service, name: `workspaces-${workspaces}` });
  await connectKeys(launch.env ?? {}, workspaces);
  return launch;
}

export const manyWorkspacesRow: Row = {
  id: 'workspaces',
  title: '10,000 workspaces against 10',
  how: 'Workspaces with a connected key in the store.',
  limit: 'An index: a key is found by its workspace, not by looking through all of them.',
  run,
};

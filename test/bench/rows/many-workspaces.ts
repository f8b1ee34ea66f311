import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from '../../faults/senders/memory.ts';
import { connectKeys } from '../connect-keys.ts';
import { inMirroredOrder, ratioOf, spreadOf } from '../rounds.ts';
import type { Measured, Row, RowOptions } from '../row.ts';
import type { Subject } from '../subjects/subject.ts';
import { timeTheWay } from './ways.ts';

const FEW = 10;
const MANY = 10_000;
const LATENCY_TARGET = 1.1;
const MEMORY_TARGET_MB = 50;
const COMMANDS_A_SECOND = 50;
const COMMANDS = 250;
const IDLE_AFTER_MS = 3_000;
const BYTES_PER_MB = 1_000_000;

async function run({ stage, rounds, say }: RowOptions): Promise<Measured[]> {
  const few = await startWith(stage, FEW);
  const many = await startWith(stage, MANY);
  await sleep(IDLE_AFTER_MS);
  const grownMb = ((await memoryOf(many.pid)) - (await memoryOf(few.pid))) / BYTES_PER_MB;
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
      figure: spreadOf([grownMb]),
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

async function startWith(stage: RowOptions['stage'], workspaces: number): Promise<Subject> {
  const service = await stage.openService();
  const launch = stage.app({ service, name: `workspaces-${workspaces}` });
  await connectKeys(launch.env ?? {}, workspaces);
  return stage.start(launch);
}

export const manyWorkspacesRow: Row = {
  id: 'workspaces',
  title: '10,000 workspaces against 10',
  how: 'Workspaces with a connected key in the store.',
  limit: 'An index: a key is found by its workspace, not by looking through all of them.',
  run,
};

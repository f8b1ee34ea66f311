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
const MEMORY_OF_MORE_FORMS_TARGET_MB = 30;
const COMMANDS_A_SECOND = 50;
const COMMANDS = 250;
const FORMS_A_SECOND = 100;
/** The workspaces that send the timed commands, however many others exist. */
const ACTIVE = workspaceIds(FEW);
/** Memory hardly differs from start to start. */
const MEMORY_ROUNDS = 3;
/** By then nothing of the start is in progress. */
const READY_AFTER_MS = 8_000;

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
  await few.stop();
  await many.stop();
  const after = await growthByForms({ stage, rounds: Math.min(rounds, MEMORY_ROUNDS), say });
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
      what: 'additional memory after a form in each of 10,000, compared with before the first',
      figure: spreadOf(after.map(({ first }) => first)),
      unit: 'MB',
    },
    {
      what: 'further memory after a form in each of 10,000 others',
      figure: spreadOf(after.map(({ second }) => second)),
      unit: 'MB',
      target: { bound: 'at most', value: MEMORY_OF_MORE_FORMS_TARGET_MB },
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
async function growthByForms({ stage, rounds, say }: Omit<RowOptions, 'seed'>) {
  const all = workspaceIds(2 * MANY);
  const growths: { first: number; second: number }[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const subject = await stage.start(await knowing(stage, 2 * MANY, `workspaces-forms-${round}`));
    const openIn = async (ids: readonly string[]): Promise<number> => {
      await timeDeliveries(stage.load, subject, {
        ...{ kind: 'command', until: 'views.open' },
        ...{ perSecond: FORMS_A_SECOND, count: MANY, workspaceIds: ids },
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
  how: 'Each workspace has installed the app and connected a key; commands come from ten of them. At the end, in three fresh apps, each of 20,000 opens a form once, 100 per second, with lists of 300 brands that are read from the service.',
  run,
};

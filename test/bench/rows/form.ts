import { compare } from '../rounds.ts';
import { atMost, figure, type Measured, type Row, type RowOptions } from '../row.ts';
import type { Subject } from '../subjects/subject.ts';
import { timeDeliveries } from './deliveries.ts';

const COMMANDS_A_SECOND = 50;
/** One measurement: five seconds' worth. */
const COMMANDS = 250;
const STALL_MS = 10_000;
const TARGET_MS = 10;

async function run({ stage, rounds, say }: RowOptions): Promise<Measured[]> {
  const { load } = stage;
  const service = await stage.openService();
  const stalledService = await stage.openService();
  stalledService.faults.add({ method: 'GET', kind: 'stall', ms: STALL_MS });
  const bare = await stage.start(stage.bareBolt({ answers: true }));
  const warm = await stage.start(stage.app({ service, name: 'warm' }));
  const stalled = await stage.start(stage.app({ service: stalledService, name: 'stalled' }));
  const command = { kind: 'command', until: 'views.open' } as const;
  const measure = (subject: Subject) => () =>
    timeDeliveries(load, subject, { ...command, perSecond: COMMANDS_A_SECOND, count: COMMANDS });
  const contenders = { bare: measure(bare), warm: measure(warm), stalled: measure(stalled) };
  const all = await compare(contenders, { rounds, say });
  return [
    figure('p99, reference lists in memory', 'ms', all.warm.p99, atMost(TARGET_MS)),
    figure('p99, the service stalled from the start', 'ms', all.stalled.p99, atMost(TARGET_MS)),
    figure('p50, reference lists in memory', 'ms', all.warm.p50),
    figure('p50, the service stalled from the start', 'ms', all.stalled.p50),
    figure('bare Bolt with a fixed form, p99', 'ms', all.bare.p99),
    figure('bare Bolt with a fixed form, p50', 'ms', all.bare.p50),
  ];
}

export const formRow: Row = {
  id: 'form',
  title: 'From a command to views.open',
  how: '50 commands per second, from sending each command until the app’s call arrives.',
  run,
};

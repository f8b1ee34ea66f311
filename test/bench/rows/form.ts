import { inMirroredOrder, spreadOf } from '../rounds.ts';
import type { Measured, Row, RowOptions } from '../row.ts';
import type { Subject } from '../subjects/subject.ts';
import { timeTheWay } from './ways.ts';

const COMMANDS_A_SECOND = 50;
/** Of one measurement: five seconds' worth. */
const COMMANDS = 250;
const STALL_MS = 10_000;
const TARGET_MS = 50;

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
    timeTheWay(load, subject, { ...command, perSecond: COMMANDS_A_SECOND, count: COMMANDS });
  const contenders = { bare: measure(bare), warm: measure(warm), stalled: measure(stalled) };
  await inMirroredOrder(contenders, 1);
  const all = await inMirroredOrder(contenders, rounds, (round) => say(`round ${round}`));
  return [
    {
      what: 'p99, what the form offers in memory',
      figure: spreadOf(all.warm.p99),
      unit: 'ms',
      target: { bound: 'at most', value: TARGET_MS },
    },
    {
      what: 'p99, the service stalled from the start',
      figure: spreadOf(all.stalled.p99),
      unit: 'ms',
      target: { bound: 'at most', value: TARGET_MS },
    },
    { what: 'p50, in memory', figure: spreadOf(all.warm.p50), unit: 'ms' },
    { what: 'p50, stalled', figure: spreadOf(all.stalled.p50), unit: 'ms' },
    { what: 'bare Bolt with a fixed form, p99', figure: spreadOf(all.bare.p99), unit: 'ms' },
    { what: 'bare Bolt with a fixed form, p50', figure: spreadOf(all.bare.p50), unit: 'ms' },
  ];
}

export const formRow: Row = {
  id: 'form',
  title: 'From a command to views.open',
  how: '50 commands a second, each in its own time, from sending the command until the app’s call arrives.',
  limit: 'Building the form, and the call itself by Slack’s own client.',
  run,
};

import { setTimeout as sleep } from 'node:timers/promises';
import { compare, ratioOf } from '../rounds.ts';
import { atMost, figure, type Measured, type Row, type RowOptions } from '../row.ts';
import { type Launch, megabytesOf } from '../subjects/subject.ts';

const TARGET = 1.3;
/** By then nothing of the start is in progress, and idle connections to Slack are closed. */
const IDLE_AFTER_MS = 8_000;

async function run({ stage, rounds, say }: RowOptions): Promise<Measured[]> {
  const service = await stage.openService();
  const measure = (launch: Launch) => async () => {
    const subject = await stage.start(launch);
    await sleep(IDLE_AFTER_MS);
    const mb = await megabytesOf(subject);
    await subject.stop();
    return { mb };
  };
  const contenders = {
    bare: measure(stage.bareBolt()),
    whole: measure(stage.app({ service, name: 'memory' })),
  };
  const all = await compare(contenders, { rounds, say });
  return [
    figure(
      'the app relative to bare Bolt',
      'ratio',
      ratioOf(all.whole.mb, all.bare.mb),
      atMost(TARGET),
    ),
    figure('bare Bolt', 'MB', all.bare.mb),
    figure('the app', 'MB', all.whole.mb),
  ];
}

export const memoryRow: Row = {
  id: 'memory',
  title: 'Memory, idle',
  how: 'Resident memory eight seconds after the app is ready.',
  run,
};

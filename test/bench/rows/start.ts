import { compare, ratioOf } from '../rounds.ts';
import { atMost, figure, type Measured, type Row, type RowOptions } from '../row.ts';
import type { Launch } from '../subjects/subject.ts';

const TARGET = 1.4;

async function run({ stage, rounds, say }: RowOptions): Promise<Measured[]> {
  const service = await stage.openService();
  const launches = {
    bare: stage.bareBolt(),
    app: stage.app({ service, name: 'start' }),
  };
  const measure = (launch: Launch) => async () => {
    const subject = await stage.start(launch);
    await subject.stop();
    return { ms: subject.readyMs };
  };
  const contenders = {
    bare: measure(launches.bare),
    app: measure(launches.app),
  };
  const all = await compare(contenders, { rounds, say });
  return [
    figure(
      'the app relative to bare Bolt',
      'ratio',
      ratioOf(all.app.ms, all.bare.ms),
      atMost(TARGET),
    ),
    figure('bare Bolt', 'ms', all.bare.ms),
    figure('the app', 'ms', all.app.ms),
  ];
}

export const startRow: Row = {
  id: 'start',
  title: 'From start to ready',
  how: 'From starting the process until it logs that it is ready. By then the app has locked and migrated its database and verified its token with Slack.',
  run,
};

import { inMirroredOrder, ratioOf, spreadOf } from '../rounds.ts';
import type { Measured, Row, RowOptions } from '../row.ts';
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
  await inMirroredOrder(contenders, 1);
  const all = await inMirroredOrder(contenders, rounds, (round) => say(`round ${round}`));
  return [
    {
      what: 'the app relative to bare Bolt',
      figure: spreadOf(ratioOf(all.app.ms, all.bare.ms)),
      unit: 'ratio',
      target: { bound: 'at most', value: TARGET },
    },
    { what: 'bare Bolt', figure: spreadOf(all.bare.ms), unit: 'ms' },
    { what: 'the app', figure: spreadOf(all.app.ms), unit: 'ms' },
  ];
}

export const startRow: Row = {
  id: 'start',
  title: 'From start to ready',
  how: 'From starting the process until it logs that it is ready. By then the app has locked and migrated its database and verified its token with Slack.',
  run,
};

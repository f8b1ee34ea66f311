import { inMirroredOrder, ratioOf, spreadOf } from '../rounds.ts';
import type { Measured, Row, RowOptions } from '../row.ts';
import type { Launch } from '../subjects/subject.ts';

const TARGET = 1.2;

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
      what: 'the app, of bare Bolt',
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
  how: 'From starting the process until it logs that it is ready. The app has by then locked and migrated its database and asked Slack whose token it has.',
  limit:
    'Compiling and running the bundle: nearly all of it is processor time. No compile cache is used, so a first start on a new disk takes as long.',
  run,
};

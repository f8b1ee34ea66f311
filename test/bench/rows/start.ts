import { inMirroredOrder, ratioOf, spreadOf } from '../rounds.ts';
import type { Measured, Row, RowOptions } from '../row.ts';
import type { Launch } from '../subjects/subject.ts';

const TARGET = 1.5;

async function run({ stage, rounds, say }: RowOptions): Promise<Measured[]> {
  const service = await stage.openService();
  const launches = {
    bare: stage.bareBolt(),
    warm: stage.app({ service, name: 'start' }),
    cold: stage.app({ service, name: 'start', env: { NODE_DISABLE_COMPILE_CACHE: '1' } }),
  };
  const measure = (launch: Launch) => async () => {
    const subject = await stage.start(launch);
    await subject.stop();
    return { ms: subject.readyMs };
  };
  const contenders = {
    bare: measure(launches.bare),
    warm: measure(launches.warm),
    cold: measure(launches.cold),
  };
  await inMirroredOrder(contenders, 1);
  const all = await inMirroredOrder(contenders, rounds, (round) => say(`round ${round}`));
  return [
    {
      what: 'the app, of bare Bolt',
      figure: spreadOf(ratioOf(all.warm.ms, all.bare.ms)),
      unit: 'ratio',
      target: { bound: 'at most', value: TARGET },
    },
    {
      what: 'its first start on a machine, of bare Bolt',
      figure: spreadOf(ratioOf(all.cold.ms, all.bare.ms)),
      unit: 'ratio',
    },
    { what: 'bare Bolt', figure: spreadOf(all.bare.ms), unit: 'ms' },
    { what: 'the app', figure: spreadOf(all.warm.ms), unit: 'ms' },
    { what: 'the app, first start', figure: spreadOf(all.cold.ms), unit: 'ms' },
  ];
}

export const startRow: Row = {
  id: 'start',
  title: 'From start to ready',
  how: 'From asking for the process until it says that it is ready. The app has by then locked and migrated its database and asked Slack whose token it has.',
  limit:
    'Loading modules, nearly all of it processor time: Bolt without what the app does not use takes half as long as the whole bare app, and Kysely’s 250 files, zod’s 30 and the app’s own 220 come on top, each opened, checked against the compile cache and linked by itself. A bundle would load faster; there is no build step.',
  run,
};

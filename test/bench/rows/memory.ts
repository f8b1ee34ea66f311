import { inMirroredOrder, ratioOf, spreadOf } from '../rounds.ts';
import type { Measured, Row, RowOptions } from '../row.ts';
import { idleMemoryOf } from '../subjects/idle-memory.ts';
import type { Launch } from '../subjects/subject.ts';
import { timeDeliveries } from './delivery-times.ts';

const TARGET = 1.3;
/** Forms that are opened before memory is measured again, and how fast. */
const FORMS = 20;
const FORMS_A_SECOND = 20;

async function run({ stage, rounds, say }: RowOptions): Promise<Measured[]> {
  const service = await stage.openService();
  const measure = (launch: Launch) => async () => ({ mb: await idleMemoryOf(stage, launch) });
  const used = (launch: Launch) => async () => ({
    mb: await idleMemoryOf(stage, launch, (subject) =>
      timeDeliveries(stage.load, subject, {
        ...{ kind: 'command', until: 'views.open', perSecond: FORMS_A_SECOND, count: FORMS },
      }),
    ),
  });
  const app = stage.app({ service, name: 'memory' });
  const contenders = {
    bare: measure(stage.bareBolt()),
    whole: measure(app),
    bareUsed: used(stage.bareBolt({ answers: true })),
    wholeUsed: used(app),
  };
  await inMirroredOrder(contenders, 1);
  const all = await inMirroredOrder(contenders, rounds, (round) => say(`round ${round}`));
  return [
    {
      what: 'the app relative to bare Bolt',
      figure: spreadOf(ratioOf(all.whole.mb, all.bare.mb)),
      unit: 'ratio',
      target: { bound: 'at most', value: TARGET },
    },
    {
      what: 'the app after twenty forms, relative to bare Bolt',
      figure: spreadOf(ratioOf(all.wholeUsed.mb, all.bareUsed.mb)),
      unit: 'ratio',
    },
    { what: 'bare Bolt', figure: spreadOf(all.bare.mb), unit: 'MB' },
    { what: 'the app', figure: spreadOf(all.whole.mb), unit: 'MB' },
    { what: 'bare Bolt after twenty forms', figure: spreadOf(all.bareUsed.mb), unit: 'MB' },
    { what: 'the app after twenty forms', figure: spreadOf(all.wholeUsed.mb), unit: 'MB' },
  ];
}

export const memoryRow: Row = {
  id: 'memory',
  title: 'Memory, idle',
  how: 'Resident memory eight seconds after the app is ready.',
  run,
};

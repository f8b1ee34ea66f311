import { compare, ratioOf } from '../rounds.ts';
import { atMost, figure, type Measured, type Row, type RowOptions } from '../row.ts';
import { idleMemoryOf, type Launch } from '../subjects/subject.ts';
import { timeDeliveries } from './deliveries.ts';

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
  const all = await compare(contenders, { rounds, say });
  return [
    figure(
      'the app relative to bare Bolt',
      'ratio',
      ratioOf(all.whole.mb, all.bare.mb),
      atMost(TARGET),
    ),
    figure(
      'the app after twenty forms, relative to bare Bolt',
      'ratio',
      ratioOf(all.wholeUsed.mb, all.bareUsed.mb),
    ),
    figure('bare Bolt', 'MB', all.bare.mb),
    figure('the app', 'MB', all.whole.mb),
    figure('bare Bolt after twenty forms', 'MB', all.bareUsed.mb),
    figure('the app after twenty forms', 'MB', all.wholeUsed.mb),
  ];
}

export const memoryRow: Row = {
  id: 'memory',
  title: 'Memory, idle',
  how: 'Resident memory eight seconds after the app is ready.',
  run,
};

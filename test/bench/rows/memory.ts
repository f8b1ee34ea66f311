import { compare } from '../rounds.ts';
import {
  atMost,
  figure,
  type Measured,
  type Row,
  type RowOptions,
  relativeToBolt,
} from '../row.ts';
import { idleMemoryOf, type Launch } from '../subjects/subject.ts';

const TARGET = 1.3;

async function run({ stage, rounds, say }: RowOptions): Promise<Measured[]> {
  const service = await stage.openService();
  const measure = (launch: Launch) => async () => ({ mb: await idleMemoryOf(stage, launch) });
  const bare = measure(stage.bareBolt());
  const whole = measure(stage.app({ service, name: 'memory' }));
  const all = await compare({ bare, whole }, { rounds, say });
  return [
    relativeToBolt('the app', all.whole.mb, all.bare.mb, atMost(TARGET)),
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

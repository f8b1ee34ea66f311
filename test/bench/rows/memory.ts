import { inMirroredOrder, ratioOf, spreadOf } from '../rounds.ts';
import type { Measured, Row, RowOptions } from '../row.ts';
import { idleMemoryOf } from '../subjects/idle-memory.ts';
import type { Launch } from '../subjects/subject.ts';

const TARGET = 1.4;
async function run({ stage, rounds, say }: RowOptions): Promise<Measured[]> {
  const service = await stage.openService();
  const measure = (launch: Launch) => async () => ({ mb: await idleMemoryOf(stage, launch) });
  const contenders = {
    bare: measure(stage.bareBolt()),
    whole: measure(stage.app({ service, name: 'memory' })),
  };
  await inMirroredOrder(contenders, 1);
  const all = await inMirroredOrder(contenders, rounds, (round) => say(`round ${round}`));
  return [
    {
      what: 'the app, of bare Bolt',
      figure: spreadOf(ratioOf(all.whole.mb, all.bare.mb)),
      unit: 'ratio',
      target: { bound: 'at most', value: TARGET },
    },
    { what: 'bare Bolt', figure: spreadOf(all.bare.mb), unit: 'MB' },
    { what: 'the app', figure: spreadOf(all.whole.mb), unit: 'MB' },
  ];
}

export const memoryRow: Row = {
  id: 'memory',
  title: 'Memory, idle',
  how: 'Resident memory three seconds after the app is ready.',
  limit: 'Code: Node itself, Bolt, and what the app loads beside it.',
  run,
};

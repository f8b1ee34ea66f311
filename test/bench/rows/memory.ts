import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from '../../faults/senders/memory.ts';
import { inMirroredOrder, ratioOf, spreadOf } from '../rounds.ts';
import type { Measured, Row, RowOptions } from '../row.ts';
import type { Launch } from '../subjects/subject.ts';

const TARGET = 1.4;
/** After this nothing of the start is under way any more. */
const IDLE_AFTER_MS = 3_000;
const BYTES_PER_MB = 1_000_000;

async function run({ stage, rounds, say }: RowOptions): Promise<Measured[]> {
  const service = await stage.openService();
  const measure = (launch: Launch) => async () => {
    const subject = await stage.start(launch);
    await sleep(IDLE_AFTER_MS);
    const bytes = await memoryOf(subject.pid);
    await subject.stop();
    return { mb: bytes / BYTES_PER_MB };
  };
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

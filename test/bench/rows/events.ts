import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { inMirroredOrder, ratioOf, spreadOf } from '../rounds.ts';
import type { Measured, Row, RowOptions } from '../row.ts';
import { databasePath } from '../stage.ts';
import { acknowledgments, explained } from './acknowledgments.ts';

const NAME = 'events';
const LOOK_EVERY_MS = 50;

async function run({ stage, rounds, say }: RowOptions): Promise<Measured[]> {
  const { load } = stage;
  const service = await stage.openService();
  const bare = await stage.start(stage.bareBolt());
  const control = await stage.start(stage.ourReceiver());
  const whole = await stage.start(stage.app({ service, name: NAME }));
  const measure = async (subject: typeof bare) => {
    const acknowledged = await acknowledgments(load, subject, 'link');
    // The remaining work of this burst must not slow down the next one.
    if (subject === whole) await untilHandled(databasePath(stage.folder, NAME));
    return acknowledged;
  };
  const contenders = {
    bare: () => measure(bare),
    control: () => measure(control),
    whole: () => measure(whole),
  };
  await inMirroredOrder(contenders, 1);
  const all = await inMirroredOrder(contenders, rounds, (round) => say(`round ${round}`));
  return [
    {
      what: 'the whole app relative to bare Bolt',
      figure: spreadOf(ratioOf(all.whole.aSecond, all.bare.aSecond)),
      unit: 'ratio',
      target: { bound: 'at least', value: 0.35 },
    },
    {
      what: 'the whole app relative to our receiver without storing',
      figure: spreadOf(ratioOf(all.whole.aSecond, all.control.aSecond)),
      unit: 'ratio',
    },
    ...explained({
      'bare Bolt': all.bare,
      'our receiver without storing': all.control,
      'the whole app': all.whole,
    }),
  ];
}

/** Resolves when the app has handled every event it accepted. */
async function untilHandled(path: string): Promise<void> {
  const db = new DatabaseSync(path, { readOnly: true });
  const left = db.prepare(`select count(*) as jobs from jobs where state in ('ready', 'running')`);
  while (Number(left.get()?.jobs) > 0) await sleep(LOOK_EVERY_MS);
  db.close();
}

export const eventsRow: Row = {
  id: 'events',
  title: 'Acknowledgments per second, events stored first',
  how: 'The event is on disk before the answer. The control is the same receiver without the store.',
  run,
};

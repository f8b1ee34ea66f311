import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { compare, ratioOf } from '../rounds.ts';
import { atLeast, figure, type Measured, type Row, type RowOptions } from '../row.ts';
import { databasePath } from '../stage.ts';
import { acknowledgments, explained } from './deliveries.ts';

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
  const all = await compare(contenders, { rounds, say });
  return [
    figure(
      'the whole app relative to bare Bolt',
      'ratio',
      ratioOf(all.whole.aSecond, all.bare.aSecond),
      atLeast(0.35),
    ),
    figure(
      'the whole app relative to our receiver without storing',
      'ratio',
      ratioOf(all.whole.aSecond, all.control.aSecond),
    ),
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

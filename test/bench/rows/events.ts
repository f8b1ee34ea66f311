import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { compare } from '../rounds.ts';
import { atLeast, type Measured, type Row, type RowOptions, relativeToBolt } from '../row.ts';
import { databasePath } from '../stage.ts';
import { acknowledgments, explained } from './deliveries.ts';

const NAME = 'events';
const LOOK_EVERY_MS = 50;

async function run({ stage, rounds, say }: RowOptions): Promise<Measured[]> {
  const { load } = stage;
  const service = await stage.openService();
  const bare = await stage.start(stage.bareBolt());
  const whole = await stage.start(stage.app({ service, name: NAME }));
  const contenders = {
    bare: () => acknowledgments(load, bare, 'link'),
    async whole() {
      const acknowledged = await acknowledgments(load, whole, 'link');
      // The remaining work of this burst must not slow down the next one.
      await untilHandled(databasePath(stage.folder, NAME));
      return acknowledged;
    },
  };
  const all = await compare(contenders, { rounds, say });
  return [
    relativeToBolt('the whole app', all.whole.aSecond, all.bare.aSecond, atLeast(0.35)),
    ...explained({ 'bare Bolt': all.bare, 'the whole app': all.whole }),
  ];
}

async function untilHandled(path: string): Promise<void> {
  const db = new DatabaseSync(path, { readOnly: true });
  const left = db.prepare(`select count(*) as jobs from jobs where state in ('ready', 'running')`);
  while (Number(left.get()?.jobs) > 0) await sleep(LOOK_EVERY_MS);
  db.close();
}

export const eventsRow: Row = {
  id: 'events',
  title: 'Acknowledgments per second, events stored first',
  how: 'The event is on disk before the answer.',
  run,
};

import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BurstLoad } from '../load/load-generator.ts';
import { compare, ratioOf } from '../rounds.ts';
import { atLeast, figure, type Measured, type Row, type RowOptions } from '../row.ts';
import { databasePath } from '../stage.ts';
import type { Subject } from '../subjects/subject.ts';

const EVENTS = 'events';
const LOOK_EVERY_MS = 50;
/** Deliveries of one measurement: about a second's worth. */
const BURST = 8_000;
/** Concurrent deliveries; Slack sends from many machines at once. */
const CONNECTIONS = 64;

async function run({ stage, rounds, say }: RowOptions): Promise<Measured[]> {
  const { load } = stage;
  const service = await stage.openService();
  const bare = await stage.start(stage.bareBolt());
  const buttons = await stage.start(stage.app({ service, name: 'buttons' }));
  const events = await stage.start(stage.app({ service, name: EVENTS }));
  let bursts = 0;
  const measure = (subject: Subject, kind: BurstLoad['kind']) => async () => {
    bursts += 1;
    const { tookMs, ownShare } = await load.burst({
      kind,
      url: subject.url,
      count: BURST,
      connections: CONNECTIONS,
      prefix: `b${bursts}x`,
    });
    // The remaining work of this burst must not slow down the next one.
    if (subject === events) await untilHandled(databasePath(stage.folder, EVENTS));
    return { aSecond: (BURST / tookMs) * 1_000, ownShare };
  };
  const contenders = {
    bareButton: measure(bare, 'button'),
    wholeButton: measure(buttons, 'button'),
    bareEvent: measure(bare, 'link'),
    wholeEvent: measure(events, 'link'),
  };
  const all = await compare(contenders, { rounds, say });
  const { bareButton, wholeButton, bareEvent, wholeEvent } = all;
  return [
    figure(
      'a button that is only acknowledged, relative to bare Bolt',
      'ratio',
      ratioOf(wholeButton.aSecond, bareButton.aSecond),
      atLeast(0.6),
    ),
    figure(
      'an event that is stored first, relative to bare Bolt',
      'ratio',
      ratioOf(wholeEvent.aSecond, bareEvent.aSecond),
      atLeast(0.35),
    ),
    // The figures behind the ratios.
    ...[
      { name: 'bare Bolt, buttons', of: bareButton },
      { name: 'the app, buttons', of: wholeButton },
      { name: 'bare Bolt, events', of: bareEvent },
      { name: 'the app, events', of: wholeEvent },
    ].flatMap(({ name, of }) => [
      figure(name, 'per second', of.aSecond),
      figure(`${name}, load generator’s share of a CPU`, 'ratio', of.ownShare),
    ]),
  ];
}

/** Resolves when the app has handled every event it accepted. */
async function untilHandled(path: string): Promise<void> {
  const db = new DatabaseSync(path, { readOnly: true });
  const left = db.prepare(`select count(*) as jobs from jobs where state in ('ready', 'running')`);
  while (Number(left.get()?.jobs) > 0) await sleep(LOOK_EVERY_MS);
  db.close();
}

export const acknowledgmentsRow: Row = {
  id: 'acknowledgments',
  title: 'Acknowledgments per second',
  how: 'A button, and an event that is on disk before the answer; 64 deliveries at a time.',
  run,
};

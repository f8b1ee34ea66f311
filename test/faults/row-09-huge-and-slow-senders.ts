import { type Figures, inMs, quantile, type Row, type RowOptions } from './figures.ts';
import { chanceOf } from './random.ts';
import { HOSTILE_KINDS, type HostileKind, misbehave, type Sent } from './senders/hostile-sender.ts';
import { followMemory, memoryOf } from './senders/memory.ts';
import { ordinaryDeliveries } from './senders/ordinary-deliveries.ts';
import { withSetting } from './setting.ts';

const TITLE = '200 MB bodies and slow senders, unsigned, 50 connections at once';
const MUTATION =
  'no limit on a body (http.ts): growth 1,117 MiB with 12 senders; no timeouts for headers and bodies (http-server.ts): 2 of 4 senders stay as long as they like';

const AT_ONCE = 50;
const WARM_UP = 100;
const MIB = 1024 * 1024;
const GROWTH_BELOW_MIB = 80;
/** A sixth of Slack's deadline; on a machine busy with other work, this many times slower than before. */
const P99_BELOW_MS = 500;
const SLOWER = 3;
const P99 = 0.99;

function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  return withSetting({ seed }, async (setting) => {
    const app = await setting.start();
    const url = await app.ready;
    const ordinary = await ordinaryDeliveries(setting, url);
    const before = await ordinary.send(WARM_UP);
    const memoryBefore = await memoryOf(app.pid);
    const following = followMemory(app.pid);
    const meanwhile = ordinary.keepSending();

    const all: Sent[] = [];
    for (const kinds of batchesOf(runs, seed)) {
      all.push(
        ...(await Promise.all(kinds.map((kind) => misbehave(Number(new URL(url).port), kind)))),
      );
      say(`${all.length} of ${runs} senders`);
    }

    const times = await meanwhile.stop();
    const growth = (await following.stop()) - memoryBefore;
    const count = (outcome: Sent['outcome']) =>
      all.filter((sent) => sent.outcome === outcome).length;
    const p99 = quantile(times, P99);
    const p99Before = quantile(before, P99);
    const counts = {
      refused: count('refused'),
      'cut off': count('cut off'),
      'accepted or never ended': count('taken'),
      crashes: app.hasEnded() ? 1 : 0,
    };
    return {
      row: 9,
      title: TITLE,
      counts,
      measured: {
        growth: `${Math.round(growth / MIB)} MiB`,
        'p99 of ordinary acknowledgments': inMs(p99),
        'p99 before': inMs(p99Before),
        'longest connection of a sender': inMs(
          quantile(
            all.map(({ ms }) => ms),
            1,
          ),
        ),
      },
      holds:
        counts['accepted or never ended'] + counts.crashes === 0 &&
        growth < GROWTH_BELOW_MIB * MIB &&
        p99 < Math.max(P99_BELOW_MS, SLOWER * p99Before),
      mutation: MUTATION,
    };
  });
}

/** Every kind in turn, then random ones; fifty at once. */
function batchesOf(senders: number, seed: number): HostileKind[][] {
  const chance = chanceOf(seed);
  const kinds = Array.from(
    { length: senders },
    (_, index) => HOSTILE_KINDS[index] ?? chance.pick(HOSTILE_KINDS),
  );
  return Array.from({ length: Math.ceil(senders / AT_ONCE) }, (_, index) =>
    kinds.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  );
}

export const hugeAndSlowSendersRow: Row = {
  row: 9,
  title: TITLE,
  runs: { full: 300, quick: 4 },
  run,
};

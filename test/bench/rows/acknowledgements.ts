import type { LoadGenerator } from '../load/load-generator.ts';
import type { BurstOrder } from '../load/orders.ts';
import { type Rounds, spreadOf } from '../rounds.ts';
import type { Measured } from '../row.ts';
import { processorTimeOf } from '../subjects/processor-time.ts';
import type { Subject } from '../subjects/subject.ts';

/** Deliveries of one measurement: about a second's worth. */
const BURST = 8_000;
/** So many are under way at a time; Slack sends from many machines at once. */
const CONNECTIONS = 64;
const MS_PER_SECOND = 1_000;
const MICROSECONDS_PER_MS = 1_000;

/** What one burst showed. */
export type Acknowledged = {
  aSecond: number;
  /** Of the app until the last was acknowledged, for each, in microseconds. */
  processorTime: number;
  /** What of one processor the load generator took meanwhile, from 0 to 1. */
  ownShare: number;
};

let bursts = 0;

/** Sends an app all that it can acknowledge. */
export async function acknowledgements(
  load: LoadGenerator,
  { url, pid }: Subject,
  kind: BurstOrder['kind'],
): Promise<Acknowledged> {
  bursts += 1;
  const before = await processorTimeOf(pid);
  const { tookMs, ownShare } = await load.burst({
    ...{ kind, url, count: BURST, connections: CONNECTIONS },
    prefix: `b${bursts}x`,
    workspaceIds: [load.workspaceId],
  });
  const busyMs = (await processorTimeOf(pid)) - before;
  return {
    aSecond: (BURST / tookMs) * MS_PER_SECOND,
    processorTime: (busyMs / BURST) * MICROSECONDS_PER_MS,
    ownShare,
  };
}

/** The figures behind the ratios, by contender. */
export function explained(contenders: Record<string, Rounds<keyof Acknowledged>>): Measured[] {
  return Object.entries(contenders).flatMap(([name, { aSecond, processorTime, ownShare }]) => [
    { what: name, figure: spreadOf(aSecond), unit: 'per second' },
    { what: `${name}, processor time of each`, figure: spreadOf(processorTime), unit: 'µs' },
    { what: `${name}, load generator’s processor`, figure: spreadOf(ownShare), unit: 'ratio' },
  ]);
}

import type { LoadGenerator } from '../load/load-generator.ts';
import type { BurstLoad } from '../load/loads.ts';
import { type Rounds, spreadOf } from '../rounds.ts';
import type { Measured } from '../row.ts';
import { processorTimeOf } from '../subjects/processor-time.ts';
import type { Subject } from '../subjects/subject.ts';

/** Deliveries of one measurement: about a second's worth. */
const BURST = 8_000;
/** Concurrent deliveries; Slack sends from many machines at once. */
const CONNECTIONS = 64;
const MICROSECONDS_PER_MS = 1_000;

export type Acknowledged = {
  aSecond: number;
  /** The app's CPU time per delivery until the last was acknowledged, in microseconds. */
  processorTime: number;
  /** The share of one CPU that the load generator used meanwhile, from 0 to 1. */
  ownShare: number;
};

let bursts = 0;

/** Sends an app as much as it can acknowledge. */
export async function acknowledgments(
  load: LoadGenerator,
  { url, pid }: Subject,
  kind: BurstLoad['kind'],
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
    aSecond: (BURST / tookMs) * 1_000,
    processorTime: (busyMs / BURST) * MICROSECONDS_PER_MS,
    ownShare,
  };
}

/** The figures behind the ratios, by contender. */
export function explained(contenders: Record<string, Rounds<keyof Acknowledged>>): Measured[] {
  return Object.entries(contenders).flatMap(([name, { aSecond, processorTime, ownShare }]) => [
    { what: name, figure: spreadOf(aSecond), unit: 'per second' },
    { what: `${name}, CPU time per delivery`, figure: spreadOf(processorTime), unit: 'µs' },
    { what: `${name}, load generator’s CPU`, figure: spreadOf(ownShare), unit: 'ratio' },
  ]);
}

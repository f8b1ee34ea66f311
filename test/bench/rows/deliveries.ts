import { median, p99 } from '../../faults/row.ts';
import type { BurstLoad, LoadGenerator, PacedLoad } from '../load/load-generator.ts';
import type { Rounds } from '../rounds.ts';
import { figure, type Measured } from '../row.ts';
import { processorTimeOf, type Subject } from '../subjects/subject.ts';

/** Deliveries of one measurement: about a second's worth. */
const BURST = 8_000;
/** Concurrent deliveries; Slack sends from many machines at once. */
const CONNECTIONS = 64;
const MICROSECONDS_PER_MS = 1_000;

type Acknowledged = {
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
    figure(name, 'per second', aSecond),
    figure(`${name}, CPU time per delivery`, 'µs', processorTime),
    figure(`${name}, load generator’s CPU`, 'ratio', ownShare),
  ]);
}

/** Of cards in the demo data that this key may read. */
export const CARD_URLS = [1001, 1002, 1003, 1004].map(
  (number) => `https://app.example.com/card/card-${number}`,
);

/** How long deliveries took to cause a call to Slack, in ms. */
type DeliveryTimes = { p50: number; p99: number };

let sent = 0;

/**
 * Sends deliveries at a steady pace. The times exclude Slack and the network: they end when the app's call
 * arrives, and Slack is played on the same machine without delay.
 */
export async function timeDeliveries(
  generator: LoadGenerator,
  { url }: Subject,
  load: Pick<PacedLoad, 'kind' | 'until' | 'perSecond' | 'count'> &
    Partial<Pick<PacedLoad, 'urls' | 'workspaceIds' | 'people'>>,
): Promise<DeliveryTimes> {
  sent += 1;
  const { ms } = await generator.pace({
    workspaceIds: [generator.workspaceId],
    ...load,
    ...{ url, prefix: `p${sent}x` },
  });
  return { p50: median(ms), p99: p99(ms) };
}

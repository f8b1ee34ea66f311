import { setTimeout as sleep } from 'node:timers/promises';
import type { AnsweringSlack } from './answering-slack.ts';
import { type Connection, openConnection } from './connection.ts';
import { type Delivery, messageTsOf, requestBytes } from './deliveries.ts';
import type { BurstLoad, PacedLoad, PaceOutcome } from './loads.ts';

/** A delivery without an effect after this time never has one. */
const PATIENCE_MS = 30_000;

/**
 * Sends each delivery at its scheduled time, answered or not, so that a slow app doesn't get fewer.
 *
 * @throws if a delivery has no effect within half a minute
 */
export async function sendPaced(
  load: PacedLoad,
  { signingSecret, slack }: { signingSecret: string; slack: AnsweringSlack },
): Promise<PaceOutcome> {
  const { hostname: host, host: named, port } = new URL(load.url);
  const pool = connectionPool({ host, port: Number(port) });
  const arrivals = arrivalsOf(load, slack);
  const deliveries = deliveriesOf(load);
  const to = { host: named, signingSecret, now: new Date() };
  const requests = deliveries.map((delivery) => requestBytes(delivery, to));
  const started = performance.now();
  const all = deliveries.map(async ({ id }, index) => {
    const dueAt = started + (index * 1_000) / load.perSecond;
    await sleep(Math.max(dueAt - performance.now(), 0));
    const arrival = arrivals.next(id);
    const bytes = requests[index];
    if (!bytes) throw new Error('nothing to send');
    const sentAt = performance.now();
    const acknowledged = pool.exchange(bytes);
    if (load.until === 'acknowledged') {
      await acknowledged;
      return performance.now() - sentAt;
    }
    const [arrivedAt] = await Promise.all([arrival, acknowledged]);
    return arrivedAt - sentAt;
  });
  const late = sleep((deliveries.length / load.perSecond) * 1_000 + PATIENCE_MS, undefined, {
    ref: false,
  }).then(() => Promise.reject(new Error(`Not every ${load.kind} led to ${load.until}.`)));
  try {
    return { ms: await Promise.race([Promise.all(all), late]) };
  } finally {
    pool.close();
  }
}

export function deliveriesOf(load: PacedLoad | BurstLoad): Delivery[] {
  const { kind, count, prefix, workspaceIds, urls } = load;
  return Array.from({ length: count }, (_, index) => ({
    kind,
    id: `${prefix}${index}`,
    workspaceId: workspaceIds[index % workspaceIds.length] ?? '',
    ...(urls ? { url: urls[index % urls.length] ?? '' } : {}),
  }));
}

/** When the effect of a delivery arrives, by the delivery's ID. */
function arrivalsOf({ until, kind }: PacedLoad, slack: AnsweringSlack) {
  const waiting = new Map<string, (arrivedAt: number) => void>();
  slack.onCall(({ method, args, arrivedAt }) => {
    if (method !== until) return;
    const name = args.trigger_id ?? args.unfurl_id ?? args.ts ?? '';
    waiting.get(name)?.(arrivedAt);
  });
  const nameOf = (id: string) => {
    if (until === 'views.open') return id;
    return kind === 'composer-link' ? `unfurl-${id}` : messageTsOf(id);
  };
  return {
    next: (id: string) => new Promise<number>((resolve) => waiting.set(nameOf(id), resolve)),
  };
}

/** As many kept-alive connections as are needed at a time. */
function connectionPool(to: { host: string; port: number }) {
  const all: Connection[] = [];
  let free: Connection[] = [];
  return {
    async exchange(bytes: Buffer): Promise<void> {
      free = free.filter((one) => one.isOpen());
      const connection = free.pop() ?? openConnection(to);
      if (!all.includes(connection)) all.push(connection);
      const status = await connection.exchange(bytes);
      if (status !== 200) throw new Error(`A delivery was answered ${status}.`);
      free.push(connection);
    },
    close() {
      for (const connection of all) connection.close();
    },
  };
}

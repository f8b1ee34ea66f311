import { setTimeout as sleep } from 'node:timers/promises';
import type { AnsweringSlack } from './answering-slack.ts';
import { type Connection, openConnection } from './connection.ts';
import { type Delivery, messageTsOf, requestBytes } from './deliveries.ts';
import type { BurstOrder, PaceOrder, PaceOutcome } from './orders.ts';

const MS_PER_SECOND = 1_000;
/** What has led to nothing by then never will. */
const PATIENCE_MS = 30_000;

/**
 * Sends one delivery after the other at its appointed time, answered or not: an app that is slow is not
 * asked less often.
 *
 * @throws where a delivery leads to nothing within half a minute
 */
export async function sendPaced(
  order: PaceOrder,
  { signingSecret, slack }: { signingSecret: string; slack: AnsweringSlack },
): Promise<PaceOutcome> {
  const { hostname: host, host: named, port } = new URL(order.url);
  const pool = connectionPool({ host, port: Number(port) });
  const arrivals = arrivalsOf(order, slack);
  const deliveries = deliveriesOf(order);
  const to = { host: named, signingSecret, now: new Date() };
  const requests = deliveries.map((delivery) => requestBytes(delivery, to));
  const started = performance.now();
  const all = deliveries.map(async ({ id }, index) => {
    const dueAt = started + (index * MS_PER_SECOND) / order.perSecond;
    await sleep(Math.max(dueAt - performance.now(), 0));
    const arrival = arrivals.next(id);
    const bytes = requests[index];
    if (!bytes) throw new Error('nothing to send');
    const sentAt = performance.now();
    const acknowledged = pool.exchange(bytes);
    if (order.until === 'acknowledged') {
      await acknowledged;
      return performance.now() - sentAt;
    }
    const [arrivedAt] = await Promise.all([arrival, acknowledged]);
    return arrivedAt - sentAt;
  });
  const late = sleep(
    (deliveries.length / order.perSecond) * MS_PER_SECOND + PATIENCE_MS,
    undefined,
    {
      ref: false,
    },
  ).then(() => Promise.reject(new Error(`Not every ${order.kind} led to ${order.until}.`)));
  try {
    return { ms: await Promise.race([Promise.all(all), late]) };
  } finally {
    pool.close();
  }
}

export function deliveriesOf(order: PaceOrder | BurstOrder): Delivery[] {
  const { kind, count, prefix, workspaceIds, urls } = order;
  return Array.from({ length: count }, (_, index) => ({
    kind,
    id: `${prefix}${index}`,
    workspaceId: workspaceIds[index % workspaceIds.length] ?? '',
    ...(urls ? { url: urls[index % urls.length] ?? '' } : {}),
  }));
}

/** When what a delivery leads to arrives, by the delivery's id. */
function arrivalsOf({ until, kind }: PaceOrder, slack: AnsweringSlack) {
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

/** As many connections as are needed at a time, kept alive. */
function connectionPool(to: { host: string; port: number }) {
  const all: Connection[] = [];
  const free: Connection[] = [];
  return {
    async exchange(bytes: Buffer): Promise<void> {
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

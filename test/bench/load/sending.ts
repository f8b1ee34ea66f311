import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnsweringSlack } from './answering-slack.ts';
import { type Delivery, messageTsOf, requestBytes, USER_ID, WORKSPACE_ID } from './deliveries.ts';
import type { BurstLoad, BurstOutcome, PacedLoad, PaceOutcome } from './load-generator.ts';

const MICROSECONDS_PER_MS = 1_000;

/** @throws if anything but 200 is answered, since that isn't an acknowledgment */
export async function sendBurst(load: BurstLoad): Promise<BurstOutcome> {
  const { pool, requests } = prepare(load);
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  let next = 0;
  async function sendOneByOne(): Promise<void> {
    for (let bytes = requests[next++]; bytes; bytes = requests[next++]) await pool.exchange(bytes);
  }
  await Promise.all(Array.from({ length: load.connections }, sendOneByOne));
  const tookMs = performance.now() - started;
  const { user, system } = process.cpuUsage(cpuBefore);
  pool.close();
  return { tookMs, ownShare: (user + system) / MICROSECONDS_PER_MS / tookMs };
}

/** A delivery without an effect after this time never has one. */
const PATIENCE_MS = 30_000;

/**
 * Sends each delivery at its scheduled time, answered or not, so that a slow app doesn't get fewer.
 *
 * @throws if a delivery has no effect within half a minute
 */
export async function sendPaced(load: PacedLoad, slack: AnsweringSlack): Promise<PaceOutcome> {
  const { pool, deliveries, requests } = prepare(load);
  const arrivals = arrivalsOf(load, slack);
  const started = performance.now();
  const all = requests.map(async (bytes, index) => {
    const dueAt = started + (index * 1_000) / load.perSecond;
    await sleep(Math.max(dueAt - performance.now(), 0));
    const arrival = arrivals.next(deliveries[index]?.id ?? '');
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

function prepare(load: PacedLoad | BurstLoad) {
  const { hostname, host, port } = new URL(load.url);
  const deliveries = deliveriesOf(load);
  const to = { host, now: new Date() };
  return {
    pool: connectionPool({ host: hostname, port: Number(port) }),
    deliveries,
    requests: deliveries.map((delivery) => requestBytes(delivery, to)),
  };
}

function deliveriesOf(load: PacedLoad | BurstLoad): Delivery[] {
  const { kind, count, prefix, workspaceIds = [WORKSPACE_ID], people = 1, urls } = load;
  return Array.from({ length: count }, (_, index) => ({
    kind,
    id: `${prefix}${index}`,
    workspaceId: workspaceIds[index % workspaceIds.length] ?? '',
    userId: index % people === 0 ? USER_ID : `${USER_ID}${index % people}`,
    ...(urls ? { url: urls[index % urls.length] ?? '' } : {}),
  }));
}

/** When the effect of a delivery arrives, by the delivery's ID. */
function arrivalsOf({ until }: PacedLoad, slack: AnsweringSlack) {
  const waiting = new Map<string, (arrivedAt: number) => void>();
  slack.onCall(({ method, args, arrivedAt }) => {
    if (method !== until) return;
    const name = args.trigger_id ?? args.ts ?? '';
    waiting.get(name)?.(arrivedAt);
  });
  const nameOf = (id: string) => (until === 'views.open' ? id : messageTsOf(id));
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

type Connection = ReturnType<typeof openConnection>;

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';

/**
 * Opens a connection that parses only as much HTTP as necessary, so that measuring costs the machine far less than
 * what is measured: Node's own client takes longer for a request than the apps need to answer it.
 */
function openConnection({ host, port }: { host: string; port: number }) {
  const socket = connect({ host, port, noDelay: true });
  let received = '';
  let waiting: PromiseWithResolvers<number> | undefined;

  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    received += text;
    const status = statusOfWhole(received);
    if (status === undefined) return;
    received = '';
    waiting?.resolve(status);
  });
  const fail = (why: string) => waiting?.reject(new Error(`A connection to the app ${why}.`));
  socket.on('error', ({ message }) => fail(`failed: ${message}`));
  socket.on('close', () => fail('was closed'));

  return {
    /** Writes one whole request and resolves to the status of its answer. One at a time. */
    exchange(request: Buffer) {
      waiting = Promise.withResolvers();
      socket.write(request);
      return waiting.promise;
    },
    /** Whether the app hasn't closed it, as it does with idle ones. */
    isOpen: () => socket.writable,
    close: () => socket.destroy(),
  };
}

/** The status of a complete answer; undefined while part of it is missing. */
function statusOfWhole(text: string): number | undefined {
  const headEnd = text.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const head = text.slice(0, headEnd);
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  const isWhole =
    length === undefined
      ? text.endsWith(LAST_CHUNK)
      : text.length >= headEnd + HEAD_END.length + Number(length);
  return isWhole ? Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)) : undefined;
}

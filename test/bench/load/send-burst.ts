import { openConnection } from './connection.ts';
import { requestBytes } from './deliveries.ts';
import type { BurstLoad, BurstOutcome } from './loads.ts';
import { deliveriesOf } from './send-paced.ts';

const MICROSECONDS_PER_MS = 1_000;

/** @throws if anything but 200 is answered, since that isn't an acknowledgment */
export async function sendBurst(load: BurstLoad, signingSecret: string): Promise<BurstOutcome> {
  const { hostname: host, host: named, port } = new URL(load.url);
  const to = { host: named, signingSecret, now: new Date() };
  const requests = deliveriesOf(load).map((delivery) => requestBytes(delivery, to));
  const connections = Array.from({ length: load.connections }, () =>
    openConnection({ host, port: Number(port) }),
  );
  const ms: number[] = [];
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  let next = 0;
  await Promise.all(
    connections.map(async ({ exchange }) => {
      for (let bytes = requests[next++]; bytes; bytes = requests[next++]) {
        const sentAt = performance.now();
        const status = await exchange(bytes);
        if (status !== 200) throw new Error(`A ${load.kind} was answered ${status}.`);
        ms.push(performance.now() - sentAt);
      }
    }),
  );
  const tookMs = performance.now() - started;
  const { user, system } = process.cpuUsage(cpuBefore);
  for (const connection of connections) connection.close();
  return { tookMs, ms, ownShare: (user + system) / MICROSECONDS_PER_MS / tookMs };
}

import dns from 'node:dns';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

/** For one test, lets a host name have these IPv4 addresses, tried in this order. Node's own lookup answers for others. */
export function nameAddresses(name: string, addresses: string[]): void {
  const { lookup } = dns;
  const found = addresses.map((address) => ({ address, family: 4 }));
  const answer = (host: string, ...rest: unknown[]) => {
    const callBack = rest.at(-1);
    if (host !== name || typeof callBack !== 'function')
      return Reflect.apply(lookup, dns, [host, ...rest]);
    process.nextTick(callBack, null, found);
  };
  Object.assign(dns, { lookup: answer });
  onTestFinished(() => void Object.assign(dns, { lookup }));
}

/** Listens without ever accepting a connection: its thread waits for a number that never changes. */
const NEVER_ACCEPTING = `
  const { createServer } = require('node:net');
  const { parentPort, workerData } = require('node:worker_threads');
  createServer().listen({ ...workerData, backlog: 1 }, () => {
    parentPort.postMessage('listening');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;
/** More than the system keeps for it, after which it answers no attempt to connect. */
const ENOUGH_CONNECTIONS = 8;

/** For one test, lets an address of this machine neither accept nor refuse connections, like a firewall that drops them. */
export async function makeUnresponsive(host: string, port: number): Promise<void> {
  const worker = new Worker(NEVER_ACCEPTING, { eval: true, workerData: { host, port } });
  await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  const fillers = Array.from({ length: ENOUGH_CONNECTIONS }, () =>
    connect(port, host).on('error', () => undefined),
  );
  onTestFinished(async () => {
    for (const filler of fillers) filler.destroy();
    await worker.terminate();
  });
  // The kernel answers on its own: its queue is full once one of them has a connection and another one is left waiting.
  await new Promise((resolve) => fillers[0]?.once('connect', resolve));
}

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

/** Listens without accepting a connection: its thread waits until a number changes. Then it answers as Slack and the service do. */
const NOT_ACCEPTING = `
  const { createServer } = require('node:http');
  const { parentPort, workerData } = require('node:worker_threads');
  const { accepting, ...address } = workerData;
  const server = createServer((_, response) => response.end('{"ok":true,"data":{"id":"c1"}}'));
  server.listen({ ...address, backlog: 1 }, () => {
    parentPort.postMessage('listening');
    Atomics.wait(accepting, 0, 0);
  });`;
/** More than the system keeps for it, after which it answers no attempt to connect. */
const ENOUGH_CONNECTIONS = 8;

/**
 * For one test, lets an address of this machine neither accept nor refuse connections, like a firewall that drops them.
 *
 * @returns a function that ends this: from then on, the address accepts connections
 */
export async function makeUnresponsive(host: string, port: number): Promise<() => void> {
  const accepting = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData = { host, port, accepting };
  const worker = new Worker(NOT_ACCEPTING, { eval: true, workerData });
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
  return () => {
    Atomics.store(accepting, 0, 1);
    Atomics.notify(accepting, 0);
  };
}

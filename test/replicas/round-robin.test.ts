import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startRoundRobin } from './round-robin.ts';

/** A replica behind the load balancer. @returns the balancer's URL */
async function balanced(answer: RequestListener): Promise<string> {
  const replica = createServer({ keepAliveTimeout: 7_000 }, answer).listen(0, '127.0.0.1');
  await once(replica, 'listening');
  const spare = createServer().listen(0, '127.0.0.1');
  await once(spare, 'listening');
  const { port } = spare.address() as AddressInfo;
  spare.close();
  const balancer = await startRoundRobin(port);
  onTestFinished(async () => {
    await balancer.close();
    replica.close();
    replica.closeAllConnections();
  });
  balancer.add(`http://127.0.0.1:${(replica.address() as AddressInfo).port}`);
  return `http://127.0.0.1:${port}`;
}

it('promises to keep a connection open only as long as it does itself', async () => {
  const url = await balanced((_request, response) => void response.end('here'));
  const response = await fetch(url);
  expect(await response.text()).toBe('here');
  expect(response.headers.get('keep-alive')).toBe('timeout=60');
});

it('leaves the replica when the client has left', async () => {
  const { promise: left, resolve } = Promise.withResolvers<void>();
  const url = await balanced(({ url }, response) => {
    if (url !== '/file') return void response.end();
    response.once('close', resolve).writeHead(200).write('a piece');
  });
  const leaving = new AbortController();
  const response = await fetch(`${url}/file`, { signal: leaving.signal });
  expect(response.status).toBe(200);
  leaving.abort();
  await left;
});

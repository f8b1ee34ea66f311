import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Fault } from '../faults.ts';
import { startDesignService } from '../server.ts';
import { call, create } from './calling.ts';

test.each<Fault>([
  { kind: 'hang' },
  { kind: 'hang', executed: true },
  { kind: 'stall', ms: 3_600_000 },
  { kind: 'slow-drip', bytesPerSecond: 1 },
  { kind: 'endless-body' },
])('closing ends a call under %j', async (fault) => {
  const service = await startDesignService();
  service.faults.add(fault);
  const calling = create(service).then(
    () => 'answered',
    () => 'broken off',
  );
  while (service.ledger[0]?.requestBody === undefined) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  await service.close();
  expect(await calling).toBe('broken off');
  const executes = fault.kind !== 'hang' || fault.executed === true;
  expect(service.ledger[0]?.executed).toBe(executes);
});

test('a process can end after closing its service, although a call was stalled for an hour', async () => {
  const server = new URL('../server.ts', import.meta.url);
  const program = `
    import { startDesignService } from '${server}';
    const service = await startDesignService();
    service.faults.add({ kind: 'stall', ms: 3_600_000 });
    const headers = { 'x-api-key': service.apiKey };
    const calling = fetch(service.url + '/tags', { headers }).catch(() => 'broken off');
    while (!service.ledger[0]?.executed) await new Promise((resolve) => setImmediate(resolve));
    await service.close();
    console.log(await calling);`;
  const args = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 15_000 });
  expect(stdout.trim()).toBe('broken off');
});

test('closing ends connections without requests, and can be repeated', async () => {
  const service = await startDesignService();
  const { port, hostname } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  // A call on another connection makes sure that the server has seen the first.
  await call(service, '/tags');
  const ended = once(socket, 'close');
  await Promise.all([service.close(), service.close()]);
  await service.close();
  await ended;
  await expect(call(service, '/tags')).rejects.toThrow();
});

test('a caller who disconnects in the middle of a body has created no card', async () => {
  const service = await startDesignService();
  const { port, hostname, pathname } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST ${pathname}/card HTTP/1.1\r\nHost: ${hostname}\r\nx-api-key: ${service.apiKey}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"data":',
  );
  while (service.ledger.length === 0) await new Promise((resolve) => setImmediate(resolve));
  socket.destroy();
  expect((await call(service, '/tags')).status).toBe(200);
  expect(service.ledger[0]).toMatchObject({ executed: false, status: undefined });
  await service.close();
});

test('a port in use is refused', async () => {
  const service = await startDesignService();
  const port = Number(new URL(service.url).port);
  await expect(startDesignService({ port })).rejects.toThrow(/EADDRINUSE/);
  await service.close();
});

test('the requested port is served, on loopback', async () => {
  const first = await startDesignService();
  const port = Number(new URL(first.url).port);
  await first.close();
  const second = await startDesignService({ port });
  expect(second.url).toBe(`http://127.0.0.1:${port}/client/api`);
  await second.close();
});

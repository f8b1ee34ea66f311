import { subscribe } from 'node:diagnostics_channel';
import { writeSync } from 'node:fs';
import { ClientRequest } from 'node:http';
import { MAIN_ENTRY } from '../fresh-bundle.ts';

// The app with one difference: the process stops when the connection for its first card is open and
// nothing has been sent on it, until it receives SIGCONT. It logs that it stops.
let hasFrozen = false;

function freeze(): void {
  if (hasFrozen) return;
  hasFrozen = true;
  writeSync(1, '{"msg":"frozen"}\n');
  process.kill(process.pid, 'SIGSTOP');
}

subscribe('http.client.request.created', (message) => {
  if (typeof message !== 'object' || message === null || !('request' in message)) return;
  const { request } = message;
  if (!(request instanceof ClientRequest) || request.method !== 'POST') return;
  if (request.path.endsWith('/card')) {
    request.once('socket', (socket) => socket.once('connect', freeze));
  }
});

await import(MAIN_ENTRY);

import { subscribe } from 'node:diagnostics_channel';
import { writeSync } from 'node:fs';
import { ClientRequest } from 'node:http';
import { MAIN_ENTRY } from '../fresh-bundle.ts';

// The app with one difference: the process stands still when the connection for its first card is
// up and nothing has been sent by it, until somebody sends it SIGCONT. The log says so.
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

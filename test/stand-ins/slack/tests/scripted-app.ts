import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Heard = { kind: string; payload: Record<string, unknown> };

/** How the app answers: by default 200 with an empty body. */
export type Reply = { status?: number; json?: unknown; text?: string; never?: boolean };

const asRecord = (value: unknown) => Object(value) as Record<string, unknown>;

function read(rawBody: string, contentType = ''): Heard {
  if (contentType.startsWith('application/json')) {
    const payload = asRecord(JSON.parse(rawBody));
    return { kind: String(asRecord(payload.event).type), payload };
  }
  const form = new URLSearchParams(rawBody);
  const inner = form.get('payload');
  if (inner === null) return { kind: 'command', payload: Object.fromEntries(form) };
  const payload = asRecord(JSON.parse(inner));
  return { kind: String(payload.type), payload };
}

/** A minimal app: records what it gets, and answers as the test says. */
export async function startScriptedApp() {
  const heard: Heard[] = [];
  let reply: () => Reply = () => ({});
  const server = createServer(async (request, response) => {
    heard.push(read(await text(request), request.headers['content-type']));
    const { status = 200, json, text: plain = '', never } = reply();
    if (never) return;
    const type = json === undefined ? 'text/plain' : 'application/json';
    response.writeHead(status, { 'content-type': type });
    response.end(json === undefined ? plain : JSON.stringify(json));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/slack/events`,
    heard,
    answer(next: () => Reply) {
      reply = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

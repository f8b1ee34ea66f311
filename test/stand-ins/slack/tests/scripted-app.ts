import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What Slack sent to the app. */
interface Heard {
  kind: string;
  payload: Record<string, unknown>;
}

/** How the app answers: by default 200 with an empty body. */
export interface Reply {
  status?: number;
  json?: unknown;
  text?: string;
  never?: boolean;
}

type Script = (heard: Heard) => Reply | undefined | Promise<Reply | undefined>;

export interface ScriptedApp {
  url: string;
  heard: Heard[];
  /** Changes what the app answers from now on. */
  answer(script: Script): void;
  close(): Promise<void>;
}

const asRecord = (value: unknown) => Object(value) as Record<string, unknown>;

function read(rawBody: string, contentType: string): Heard {
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
export async function startScriptedApp(): Promise<ScriptedApp> {
  const heard: Heard[] = [];
  let script: Script = () => undefined;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const rawBody = Buffer.concat(chunks).toString('utf8');
    const one = read(rawBody, request.headers['content-type'] ?? '');
    heard.push(one);
    const reply = (await script(one)) ?? {};
    if (reply.never) return;
    const type = reply.json === undefined ? 'text/plain' : 'application/json';
    response.writeHead(reply.status ?? 200, { 'content-type': type });
    response.end(reply.json === undefined ? (reply.text ?? '') : JSON.stringify(reply.json));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/slack/events`,
    heard,
    answer(next) {
      script = next;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

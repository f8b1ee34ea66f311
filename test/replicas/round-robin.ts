import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';

const LOOPBACK = '127.0.0.1';
/** How often it checks whether a replica is ready, in ms. */
const LOOK_EVERY_MS = 250;
/** A replica that takes longer to answer counts as frozen, in ms. */
const ANSWERS_WITHIN_MS = 2_000;
const BAD_GATEWAY = 502;
/** Longer than a client's pauses: closing a connection just when it is used again breaks a request. */
const KEEP_ALIVE_MS = 60_000;

/** Each request goes to the next replica that is ready at `/readyz`, or to another if that one is gone. */
export async function startRoundRobin(port: number) {
  const replicas: string[] = [];
  /** Replicas that aren't ready, or are about to leave. */
  const resting = new Set<string>();
  let turn = 0;

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, async (incoming, outgoing) => {
    const body = await buffer(incoming);
    turn += 1;
    const ready = replicas.filter((replica) => !resting.has(replica));
    const inTurn = ready.map((_, index) => ready[(turn + index) % ready.length] ?? '');
    for (const replica of inTurn) {
      if (await forward(replica, incoming, body, outgoing)) return;
    }
    outgoing.writeHead(BAD_GATEWAY).end();
  }).listen(port, LOOPBACK);
  await once(server, 'listening');

  function look(): void {
    for (const replica of replicas) {
      void isReady(replica).then((ready) =>
        ready ? resting.delete(replica) : resting.add(replica),
      );
    }
  }
  const looking = setInterval(look, LOOK_EVERY_MS);

  return {
    add: (url: string) => void replicas.push(url),
    remove(url: string) {
      const index = replicas.indexOf(url);
      if (index >= 0) replicas.splice(index, 1);
    },
    async close() {
      clearInterval(looking);
      server.close();
      server.closeAllConnections();
    },
  };
}

const isReady = (replica: string): Promise<boolean> =>
  fetch(`${replica}/readyz`, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Without what is about one connection only (RFC 9110, 7.6.1). */
function withoutConnection(all: IncomingHttpHeaders): IncomingHttpHeaders {
  const { connection: _connection, 'keep-alive': _keepAlive, ...headers } = all;
  return headers;
}

/** @returns false if nobody listens there, so that another replica may get the request */
function forward(
  replica: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const passed = request(new URL(url ?? '/', replica), {
    method,
    agent: false,
    headers: withoutConnection(headers),
  });
  outgoing.once('close', () => passed.destroy());
  passed.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? BAD_GATEWAY, withoutConnection(answer.headers));
    answer.on('error', () => outgoing.destroy()).pipe(outgoing);
    resolve(true);
  });
  passed.on('error', (error: NodeJS.ErrnoException) => {
    const isGone = error.code === 'ECONNREFUSED';
    // The replica may have handled the request before the connection broke, so only Slack may retry it.
    if (!isGone && !outgoing.headersSent) outgoing.writeHead(BAD_GATEWAY).end();
    resolve(!isGone);
  });
  passed.end(body);
  return promise;
}

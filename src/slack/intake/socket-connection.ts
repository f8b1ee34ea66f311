import http from 'node:http';
import https from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { WebClient } from '@slack/web-api';
import { WebSocket } from 'ws';
import { z } from 'zod';
import type { Log } from '../../ops/logging.ts';
import { OperatorError } from '../../ops/operator-error.ts';
import { failureReason } from '../../outgoing.ts';
import {
  isRefusedToken,
  outcomeOfCall,
  SlackTokenError,
  slackErrorCode,
  slackRetryAt,
} from '../client/errors.ts';
import { slackClientOptions } from '../client/slack-client.ts';
import { LARGEST_BODY_BYTES, parseJson } from './http.ts';
import type { Intake } from './intake.ts';

/** A connection that ends sooner counts as a failure, so that a new one isn't opened in a tight loop. In ms. */
const SHORT_LIFE_MS = 5_000;
/**
 * Pauses before a new connection, after Slack gave no answer or refused one, and how long a connection stays open beside
 * its successor, so that what arrived on it can still be acknowledged there, in ms.
 */
const TIMES_MS = { unanswered: 5_000, refused: 60_000, handOver: 3_000 };
/** From opening a WebSocket until Slack's `hello`, in ms. */
const HELLO_WITHIN_MS = 10_000;
/** How often a connection has to show that it is alive, in ms. */
const PING_EVERY_MS = 5_000;
/** How long the other side may take to close a connection, in ms. */
const CLOSE_WITHIN_MS = 2_000;

const delivery = z.object({
  type: z.enum(['slash_commands', 'interactive', 'events_api']),
  envelope_id: z.string(),
  payload: z.looseObject({}),
});
const anyFrame = z.union([
  z.object({ type: z.literal('hello') }),
  z.object({ type: z.literal('disconnect') }),
  delivery,
]);

/**
 * Receives deliveries over Socket Mode (docs.slack.dev/apis/events-api/using-socket-mode).
 *
 * Not `@slack/socket-mode`: it closes a connection before there is another one, gives up at some
 * refusals, and crashes at `payload: null`.
 */
export function createSocketConnection(deps: {
  appToken: string;
  apiUrl: string;
  intake: Pick<Intake, 'receive'>;
  log: Log;
  timesMs?: typeof TIMES_MS;
}) {
  const { appToken, apiUrl, intake, log, timesMs = TIMES_MS } = deps;
  const slack = new WebClient(appToken, slackClientOptions({ apiUrl, log }));
  const sockets = new Set<WebSocket>();
  /** Those on which Slack has said `hello`. */
  const open = new Set<WebSocket>();
  const stopping = new AbortController();

  /** @returns a connection after Slack's `hello`, with a promise that resolves when it needs a successor */
  async function connect() {
    const { url } = await slack.apps.connections.open({});
    if (!url) throw new Error('apps.connections.open returned no address');
    stopping.signal.throwIfAborted();
    const socket = openSocket(url);
    const { promise: ending, resolve: end } = Promise.withResolvers<void>();
    const { promise: greeted, resolve: greet, reject: fail } = Promise.withResolvers<void>();
    let reason = new Error('the connection was closed before a hello');
    const timer = setTimeout(() => socket.terminate(), HELLO_WITHIN_MS);
    sockets.add(socket);
    socket.on('error', (error) => {
      const why = 'code' in error ? failureReason(error) : error.message;
      reason = new Error(`the WebSocket failed: ${why}`);
      if (open.has(socket)) log.info({ err: reason }, 'lost a connection to Slack');
    });
    socket.on('close', () => {
      sockets.delete(socket);
      open.delete(socket);
      fail(reason);
      end();
    });
    socket.on('message', (data, isBinary) => {
      // Slack sends again what arrives while the connection is being closed.
      if (socket.readyState !== WebSocket.OPEN) return;
      const frame = isBinary ? undefined : readFrame(String(data));
      if (!frame) return log.warn('ignored a malformed socket frame');
      if (frame.type === 'disconnect') return end();
      if (frame.type === 'hello') {
        open.add(socket);
        return greet();
      }
      void pass(frame, socket);
    });
    await greeted.finally(() => clearTimeout(timer));
    return { ending, socket };
  }

  async function pass({ envelope_id, payload }: z.infer<typeof delivery>, socket: WebSocket) {
    const { status, body } = await intake.receive(payload);
    // Without an acknowledgment, Slack retries events and shows people an error.
    if (status !== 200) return;
    const answer = typeof body === 'string' ? { text: body } : { ...Object(body) };
    socket.send(JSON.stringify({ envelope_id, payload: answer }), (error) => {
      const what = 'the socket closed before a delivery was acknowledged; Slack sends it again';
      if (error) log.warn({ err: error }, what);
    });
  }

  /** Replaces each connection that ends or that Slack wants to end. */
  async function keepConnected(first: Awaited<ReturnType<typeof connect>>): Promise<void> {
    let connection: typeof first | undefined = first;
    while (connection) {
      const { ending, socket } = connection;
      const since = performance.now();
      await ending;
      const isShort = performance.now() - since < SHORT_LIFE_MS;
      connection = await connectAgain(isShort ? timesMs.unanswered : 0);
      setTimeout(() => void closed(socket), timesMs.handOver).unref();
    }
  }

  /** @returns undefined if the app stops */
  async function connectAgain(firstWaitMs: number) {
    for (let waitMs = firstWaitMs; ; ) {
      try {
        await pause(waitMs, undefined, { signal: stopping.signal });
        const connection = await connect();
        if (waitMs > 0) log.info('connected to Slack again');
        return connection;
      } catch (error) {
        if (stopping.signal.aborted) return undefined;
        waitMs = waitAfter(error);
        logOutage(error, waitMs);
      }
    }
  }

  function logOutage(error: unknown, waitMs: number): void {
    const code = slackErrorCode(error);
    if (code) log.error({ err: error, waitMs }, `${refusal(code).message} ${OUTAGE}`);
    else log.warn({ err: error, waitMs }, `Slack can't be reached over Socket Mode. ${OUTAGE}`);
  }

  function waitAfter(error: unknown): number {
    if (slackErrorCode(error)) return timesMs.refused;
    const now = new Date();
    const asked = slackRetryAt(error, now);
    return asked ? asked.getTime() - now.getTime() : timesMs.unanswered;
  }

  return {
    /**
     * Resolves after Slack's `hello`. From then on, a refused connection counts as an outage that will end.
     *
     * @throws OperatorError if Slack refuses the token or anything else
     */
    async start(): Promise<void> {
      const first = await connect().catch((error: unknown) => {
        const code = slackErrorCode(error);
        const isFinal = code && (isRefusedToken(code) || outcomeOfCall(error) === 'refused');
        if (isFinal) throw refusal(code);
        return connectAgain(timesMs.unanswered);
      });
      if (first) void keepConnected(first);
    },
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all([...sockets].map(closed));
    },
    isConnected: () => open.size > 0,
  };
}

const OUTAGE = 'Until it works again, nothing arrives from Slack; trying again.';

const refusal = (code: string): OperatorError =>
  isRefusedToken(code)
    ? new SlackTokenError('SLACK_APP_TOKEN', code)
    : new OperatorError(`Slack refused a connection for Socket Mode (${code}).`);

/** Connects through this process's proxy, if it has one. The socket ends if a ping gets no answer. */
function openSocket(url: string): WebSocket {
  const agent = url.startsWith('wss:') ? https.globalAgent : http.globalAgent;
  const socket = new WebSocket(url, { agent });
  socket.once('open', () => {
    let isAlive = true;
    const pinging = setInterval(() => {
      if (!isAlive) return socket.terminate();
      isAlive = false;
      socket.ping();
    }, PING_EVERY_MS);
    socket.on('pong', () => {
      isAlive = true;
    });
    socket.once('close', () => clearInterval(pinging));
  });
  return socket;
}

function closed(socket: WebSocket): Promise<void> {
  if (socket.readyState === WebSocket.CLOSED) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => socket.terminate(), CLOSE_WITHIN_MS);
  socket.once('close', () => {
    clearTimeout(timer);
    resolve();
  });
  socket.close();
  return promise;
}

function readFrame(text: string): z.infer<typeof anyFrame> | undefined {
  // The same limit as over HTTP.
  return text.length > LARGEST_BODY_BYTES ? undefined : anyFrame.safeParse(parseJson(text)).data;
}

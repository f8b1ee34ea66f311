import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as pause } from 'node:timers/promises';
import { SocketModeClient } from '@slack/socket-mode';
import { EnvHttpProxyAgent } from 'undici';
import { z } from 'zod';
import type { Log } from '../../ops/logging.ts';
import { OperatorError } from '../../ops/operator-error.ts';
import { proxyOfProcess, whyFailed } from '../../outgoing.ts';
import {
  isRefusedToken,
  outcomeOfCall,
  SlackTokenError,
  slackErrorCode,
  slackRetryAt,
} from '../client/errors.ts';
import { boltLogger, slackClientOptions } from '../client/slack-client.ts';
import { LARGEST_BODY_BYTES } from './body.ts';
import type { Intake } from './intake.ts';

/** A connection that ends sooner counts as a failure, so that a new one isn't opened in a tight loop. In ms. */
const SHORT_LIFE_MS = 5_000;
/** Pauses before a new connection after a failure, in ms: `unanswered` grows by itself each time, up to `refused`. */
const TIMES_MS = { unanswered: 5_000, refused: 60_000 };
/** From the WebSocket's address on, in ms. */
const HELLO_WITHIN_MS = 10_000;

const control = z.object({ type: z.enum(['hello', 'disconnect']) });
const isDisconnect = z.object({ type: z.literal('disconnect') });
const delivery = z.object({
  type: z.enum(['slash_commands', 'interactive', 'events_api']),
  envelope_id: z.string(),
  payload: z.looseObject({}),
});
const events = z.object({ payload: z.object({ event: z.object({ type: z.string() }) }) });

/** What else the client emits under a name of its own, whether or not anybody listens yet. */
const STATES = ['connecting', 'authenticated', 'connected', 'reconnecting'];

/** What the client emits for each delivery. */
type SlackEvent = { ack: (answer?: Record<string, unknown>) => Promise<void>; body: unknown };

/** Receives deliveries over Socket Mode and passes them to the intake. */
export function createSocketConnection(deps: {
  appToken: string;
  apiUrl: string;
  intake: Pick<Intake, 'receive'>;
  log: Log;
  timesMs?: typeof TIMES_MS;
}) {
  const { log, timesMs = TIMES_MS } = deps;
  const clients = new Set<SocketModeClient>();
  const open = new Set<SocketModeClient>();
  const stopping = new AbortController();

  /** @returns a connection after Slack's `hello`, with a promise that it needs a successor */
  async function connect() {
    const { client, ending, running } = clientOf(deps);
    clients.add(client);
    client.on('connected', () => open.add(client));
    client.on('disconnected', () => {
      open.delete(client);
      clients.delete(client);
    });
    const close = async () => {
      // Slack delivers on both connections until this one is closed.
      while (running.size > 0) await Promise.allSettled(running);
      await client.disconnect();
    };
    try {
      await helloOf(client);
      if (stopping.signal.aborted) await close();
      return { ending, close };
    } catch (error) {
      void close();
      throw error;
    }
  }

  /** Replaces a connection that ends or that Slack wants to end, whenever that happens. */
  async function keepConnected(first: Awaited<ReturnType<typeof connect>>): Promise<void> {
    let failures = 0;
    let connection = first;
    while (!stopping.signal.aborted) {
      const since = performance.now();
      await connection.ending;
      failures = performance.now() - since < SHORT_LIFE_MS ? failures + 1 : 0;
      const next = await connectAgain(failures);
      void connection.close();
      if (!next) return;
      connection = next;
    }
  }

  /** @returns undefined if the app stops */
  async function connectAgain(failuresBefore: number) {
    let waitMs = Math.min(failuresBefore * timesMs.unanswered, timesMs.refused);
    for (let failures = failuresBefore + 1; ; failures += 1) {
      try {
        await pause(waitMs, undefined, { signal: stopping.signal });
        const connection = await connect();
        if (waitMs > 0) log.info('connected to Slack again');
        return connection;
      } catch (error) {
        if (stopping.signal.aborted) return undefined;
        waitMs = waitAfter(error, failures);
        logOutage(error, waitMs);
      }
    }
  }

  function logOutage(error: unknown, waitMs: number): void {
    const code = slackErrorCode(error);
    if (code) log.error({ err: error, waitMs }, `${refusal(code).message} ${OUTAGE}`);
    else log.warn({ err: error, waitMs }, `Slack can't be reached over Socket Mode. ${OUTAGE}`);
  }

  function waitAfter(error: unknown, failures: number): number {
    if (slackErrorCode(error)) return timesMs.refused;
    const now = new Date();
    const asked = slackRetryAt(error, now);
    if (asked) return asked.getTime() - now.getTime();
    return Math.min(failures * timesMs.unanswered, timesMs.refused);
  }

  return {
    /**
     * Resolves after Slack's `hello`. From then on, whatever Slack answers to a new connection is an outage that ends.
     *
     * @throws OperatorError if Slack refuses the token or anything else
     */
    async start(): Promise<void> {
      const first = await connect().catch((error: unknown) => {
        const code = slackErrorCode(error);
        const isFinal = code && (isRefusedToken(code) || outcomeOfCall(error) === 'refused');
        if (isFinal) throw refusal(code);
        return connectAgain(1);
      });
      if (first) void keepConnected(first);
    },
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all([...clients].map((client) => client.disconnect()));
    },
    isConnected: () => open.size > 0,
  };
}

const OUTAGE = 'Until it works again, nothing arrives from Slack; trying again.';

const refusal = (code: string): OperatorError =>
  isRefusedToken(code)
    ? new SlackTokenError('SLACK_APP_TOKEN', code)
    : new OperatorError(`Slack refused a connection for Socket Mode (${code}).`);

/** One connection: the library's own reconnecting gives up at some refusals, and leaves 5 s without a connection. */
function clientOf(deps: {
  appToken: string;
  apiUrl: string;
  intake: Pick<Intake, 'receive'>;
  log: Log;
}) {
  const { appToken, apiUrl, intake, log } = deps;
  const logger = boltLogger(log);
  const client = new SocketModeClient({
    appToken,
    // Errors are logged below, with their reasons.
    logger: { ...logger, error: logger.info },
    autoReconnectEnabled: false,
    clientOptions: slackClientOptions({ apiUrl, log }),
    ...throughProxy(),
  });
  const { promise: ending, resolve: end } = Promise.withResolvers<void>();
  const running = new Set<Promise<void>>();
  client.on('disconnected', end);
  guardFrames(client, log, end);

  async function pass({ ack, body }: SlackEvent): Promise<void> {
    const reply = await intake.receive(body);
    // Without an acknowledgment, Slack retries events and shows people an error.
    if (reply.status !== 200) return;
    const answer = typeof reply.body === 'string' ? { text: reply.body } : reply.body;
    await ack(answer as Record<string, unknown> | undefined).catch((error) =>
      log.warn(
        { err: error },
        'the socket closed before a delivery was acknowledged; Slack sends it again',
      ),
    );
  }
  client.on('slack_event', async (delivered: SlackEvent) => {
    const passing = pass(delivered);
    running.add(passing);
    await passing.finally(() => running.delete(passing));
  });
  return { client, ending, running };
}

function throughProxy() {
  const env = proxyOfProcess();
  if (!env) return {};
  const dispatcher = new EnvHttpProxyAgent({
    httpProxy: env.http_proxy || env.HTTP_PROXY || '',
    httpsProxy: env.https_proxy || env.HTTPS_PROXY || '',
    noProxy: env.no_proxy || env.NO_PROXY || '',
    proxyTunnel: true,
    // A WebSocket needs a connection of its own.
    allowH2: false,
  });
  return { dispatcher };
}

/** Where undici says why it couldn't connect; the error of its WebSocket doesn't. */
const CONNECT_ERROR = 'undici:client:connectError';

/** The library waits for a `hello` without a limit, and rejects without a reason. */
async function helloOf(client: SocketModeClient): Promise<void> {
  let reason = new Error('the connection was closed before a hello');
  client.on('error', (error: Error) => {
    if (error.message !== '') reason = error;
  });
  const onConnectError = (failed: unknown) => {
    reason = new Error(
      `the WebSocket can't be opened: ${whyFailed((failed as { error: Error }).error)}`,
    );
  };
  subscribe(CONNECT_ERROR, onConnectError);
  let timer: NodeJS.Timeout | undefined;
  client.on('authenticated', () => {
    timer = setTimeout(() => void client.disconnect(), HELLO_WITHIN_MS);
  });
  try {
    await client.start();
  } catch (error) {
    throw error ?? reason;
  } finally {
    clearTimeout(timer);
    unsubscribe(CONNECT_ERROR, onConnectError);
  }
}

/**
 * Drops malformed frames before the client sees them, and `disconnect`, at which it would close the connection before there
 * is another one. The client doesn't validate: `payload: null` would crash the process, and it emits event types as its own
 * event names, so an event type `close` would look like a closed connection.
 *
 * Its `ws_message` listeners are internal, so package.json pins the library's minor version.
 */
function guardFrames(client: SocketModeClient, log: Log, onDisconnect: () => void): void {
  const deliver = client.listeners('ws_message');
  const ownEvents = new Set<unknown>([...client.eventNames(), ...STATES]);
  client.removeAllListeners('ws_message');
  client.on('ws_message', (data: unknown, isBinary: boolean) => {
    const frame = isBinary ? undefined : parseFrame(data);
    if (!isWellFormed(frame, ownEvents)) {
      log.warn('ignored a malformed socket frame');
      return;
    }
    if (isDisconnect.safeParse(frame).success) return onDisconnect();
    for (const listener of deliver) listener(data, isBinary);
  });
}

function isWellFormed(frame: unknown, ownEvents: ReadonlySet<unknown>): boolean {
  if (control.safeParse(frame).success) return true;
  const read = delivery.safeParse(frame);
  if (!read.success) return false;
  if (read.data.type !== 'events_api') return true;
  const event = events.safeParse(frame);
  return event.success && !ownEvents.has(event.data.payload.event.type);
}

function parseFrame(data: unknown): unknown {
  try {
    const text = typeof data === 'string' ? data : new TextDecoder().decode(data as Uint8Array);
    // Over HTTP the same delivery would be refused.
    return text.length > LARGEST_BODY_BYTES ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

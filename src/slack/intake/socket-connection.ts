import { SocketModeClient } from '@slack/socket-mode';
import { z } from 'zod';
import type { Log } from '../../ops/logging.ts';
import { boltLogger } from '../client/bolt-logger.ts';
import { slackErrorCode } from '../client/errors.ts';
import { isRefusedToken, SlackTokenError } from '../tenancy/token-error.ts';
import type { Intake } from './intake.ts';

/** Receives deliveries over Socket Mode and passes them to the intake. */
export type SocketConnection = {
  /**
   * Resolves after Slack's `hello`.
   *
   * @throws SlackTokenError if Slack refuses the token
   */
  start(): Promise<void>;
  stop(): Promise<void>;
  isConnected(): boolean;
};

/** Timeout of `apps.connections.open`, in ms. */
const OPEN_TIMEOUT_MS = 10_000;

const control = z.object({ type: z.enum(['hello', 'disconnect']) });
const delivery = z.object({
  type: z.enum(['slash_commands', 'interactive', 'events_api']),
  envelope_id: z.string(),
  payload: z.looseObject({}),
});
const events = z.object({ payload: z.object({ event: z.object({ type: z.string() }) }) });

/** What the client emits for each delivery. */
type SlackEvent = { ack: (answer?: Record<string, unknown>) => Promise<void>; body: unknown };

export function createSocketConnection(deps: {
  appToken: string;
  apiUrl: string;
  intake: Intake;
  log: Log;
}): SocketConnection {
  const { appToken, apiUrl, intake, log } = deps;
  const client = new SocketModeClient({
    appToken,
    logger: boltLogger(log),
    // No retryConfig: the client's default retries for hours, and giving up ends the process.
    clientOptions: { slackApiUrl: apiUrl, timeout: OPEN_TIMEOUT_MS },
  });
  let connected = false;
  client.on('connected', () => {
    connected = true;
  });
  client.on('close', () => {
    connected = false;
  });
  guardFrames(client, log);

  client.on('slack_event', async ({ ack, body }: SlackEvent) => {
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
  });

  return {
    async start() {
      try {
        await client.start();
      } catch (error) {
        const code = slackErrorCode(error);
        throw code && isRefusedToken(code) ? new SlackTokenError('SLACK_APP_TOKEN', code) : error;
      }
    },
    stop: () => client.disconnect(),
    isConnected: () => connected,
  };
}

/**
 * Drops malformed frames before the client sees them. The client doesn't validate: `payload: null`
 * would crash the process, and it emits event types as its own event names, so an event type
 * `close` would look like a closed connection.
 *
 * Its `ws_message` listeners are internal, so package.json pins the library's minor version.
 */
function guardFrames(client: SocketModeClient, log: Log): void {
  const deliver = client.listeners('ws_message');
  const ownEvents = new Set<unknown>([...client.eventNames(), 'connecting', 'reconnecting']);
  client.removeAllListeners('ws_message');
  client.on('ws_message', (data: unknown, isBinary: boolean) => {
    const frame = isBinary ? undefined : parseFrame(data);
    if (!isWellFormed(frame, ownEvents)) {
      log.warn('ignored a malformed socket frame');
      return;
    }
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
    return JSON.parse(
      typeof data === 'string' ? data : new TextDecoder().decode(data as Uint8Array),
    );
  } catch {
    return undefined;
  }
}

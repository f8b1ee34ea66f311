import type { App } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { atMost } from '../../clock.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { JobHandler } from '../../jobs/runner.ts';
import type { Log } from '../../ops/logging.ts';
import { createOutage } from '../../ops/logging.ts';
import type { DeliveryOutcome, SlackMetrics } from '../../ops/metrics/slack-metrics.ts';
import { deliveredAt } from '../client/slack-client.ts';
import { KEEP_INTERACTIONS_MS } from '../surface/delivery.ts';
import { SLACK_JOBS } from '../surface/jobs.ts';
import type { Tenant } from '../workspaces/tenant.ts';
import { NotInstalledError, type Workspaces } from '../workspaces/workspaces.ts';
import { type Envelope, readEnvelope } from './envelope.ts';

type Body = Record<string, unknown>;
type EventEnvelope = Extract<Envelope, { kind: 'event' }>;

/** The answer to one delivery: an HTTP response, or the acknowledgment over a socket. */
export type Reply = { status: number; body?: unknown };

export type Intake = ReturnType<typeof createIntake>;

/** Slack waits 3 s; the rest is left for the network. */
const ACKNOWLEDGE_WITHIN_MS = 2_500;
const MINUTE_MS = 60_000;
const REMEMBERED_REPLIES = 10_000;

const NOT_UNDERSTOOD: Reply = { status: 400, body: { error: 'not_understood' } };
const FAILED: Reply = { status: 500, body: { error: 'failed' } };
const NOBODY_ANSWERED: Reply = { status: 404, body: { error: 'no_handler' } };

/** The entry point for all deliveries, over HTTP or a socket. */
export function createIntake(deps: {
  bolt: Pick<App, 'processEvent'>;
  queue: JobQueue;
  admit: Workspaces['admit'];
  /** Deletes the data of a workspace that doesn't have the app. */
  deleteIfUninstalled: (workspaceId: WorkspaceId) => Promise<void>;
  metrics: Pick<SlackMetrics, 'delivered'>;
  now: () => Date;
  log: Log;
}) {
  const { bolt, queue, admit, deleteIfUninstalled, metrics, now, log } = deps;
  let heardAt = now().getTime();
  const running = new Set<Promise<unknown>>();
  const late = createOutage(log, {
    begins: 'a delivery was not acknowledged in time, so Slack may retry it',
    ends: 'deliveries are acknowledged in time again',
  });
  const replies = new LRUCache<string, Promise<Reply>>({
    ...atMost(REMEMBERED_REPLIES),
    ttl: KEEP_INTERACTIONS_MS,
  });

  function interact(body: Body, identity: string | undefined): Promise<Reply> {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const work: Promise<void> = bolt
      .processEvent({
        body,
        ack: async (answer) => resolve({ status: 200, body: answer }),
        customProperties: { identity },
      })
      .then(() => resolve(NOBODY_ANSWERED))
      .catch((error) => {
        log.error({ err: error, type: body.type }, 'an interaction failed');
        resolve(FAILED);
      })
      .finally(() => running.delete(work));
    running.add(work);
    return promise;
  }

  /** Times out as a failure. If the work finishes later, Slack's retry gets its result. */
  function orFailInTime(reply: Promise<Reply>): Promise<Reply> {
    const { promise: timeout, resolve } = Promise.withResolvers<Reply>();
    const timer = setTimeout(() => {
      late.failed(undefined, MINUTE_MS);
      resolve(FAILED);
    }, ACKNOWLEDGE_WITHIN_MS);
    const answered = reply.then((answer) => {
      clearTimeout(timer);
      late.worked();
      return answer;
    });
    return Promise.race([answered, timeout]);
  }

  /** A repeated delivery has no second effect and gets the first reply. */
  function interactOnce(body: Body, identity: string | undefined) {
    const cached = identity && replies.get(identity);
    if (cached) return cached;
    const reply = interact(body, identity);
    if (identity) replies.set(identity, reply);
    return reply;
  }

  async function admitted(tenant: Tenant): Promise<WorkspaceId | undefined> {
    const workspaceId = await admit(tenant);
    if (workspaceId === undefined) {
      log.info(
        { workspace: tenant.workspaceId },
        'ignored an event: the app is not installed in its workspace',
      );
    }
    return workspaceId;
  }

  async function storeEvent({ eventId, tenant }: EventEnvelope, body: Body): Promise<void> {
    const workspaceId = await admitted(tenant);
    if (workspaceId === undefined) return;
    // Stored before it is acknowledged: Slack doesn't retry after that.
    await queue.add({
      kind: SLACK_JOBS.event,
      workspaceId,
      identity: `event/${eventId}`,
      payload: withoutCopies(body),
      isUrgent: isAwaited(body),
    });
  }

  async function dispatch(received: unknown): Promise<Reply> {
    if (!isBody(received)) return NOT_UNDERSTOOD;
    const body = withoutTokens(received);
    const envelope = readEnvelope(body);
    switch (envelope.kind) {
      case 'event':
        await storeEvent(envelope, body);
        return { status: 200 };
      case 'options': {
        const workspaceId = await admitted(envelope.tenant);
        return workspaceId === undefined ? { status: 200 } : interactOnce(body, envelope.identity);
      }
      case 'interaction':
        return interactOnce(body, envelope.identity);
      case 'url_verification':
        return { status: 200, body: { challenge: envelope.challenge } };
      case 'ssl_check':
        return { status: 200 };
      case 'unknown':
        return NOT_UNDERSTOOD;
    }
  }

  /** Runs a stored event through Bolt, like a live delivery. */
  const runStoredEvent: JobHandler = async (job) => {
    try {
      await bolt.processEvent({
        body: storedBody.parse(job.payload),
        ack: async () => undefined,
        retryNum: job.attempts - 1,
      });
    } catch (error) {
      if (!(error instanceof NotInstalledError)) throw error;
      // Uninstalled after the event was stored. Its data goes, this job included.
      log.info(
        { workspace: job.workspaceId },
        'ignored an event: its workspace uninstalled the app',
      );
      await deleteIfUninstalled(job.workspaceId);
    }
    return 'done';
  };

  return {
    /** Never rejects; resolves within Slack's three seconds. */
    async receive(body: unknown): Promise<Reply> {
      heardAt = now().getTime();
      const arrivedAt = performance.now();
      const answer = deliveredAt.run(arrivedAt, () => dispatch(body));
      const reply = await orFailInTime(
        answer.catch((error) => {
          log.error({ err: error }, 'a delivery failed before it was handled');
          return FAILED;
        }),
      );
      const seconds = (performance.now() - arrivedAt) / 1_000;
      metrics.delivered(kindOf(body), outcomeOf(reply), seconds);
      return reply;
    },

    runStoredEvent,

    /** Resolves when all running interactions have finished. */
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },

    /** The time since the last delivery, or since the start. */
    silentSeconds: () => Math.max(0, now().getTime() - heardAt) / 1_000,
  };
}

/** The types of interactions that have a metric of their own. */
const INTERACTIONS = [
  ...['block_actions', 'block_suggestion', 'view_submission', 'view_closed'],
  ...['shortcut', 'message_action'],
];

/** From a closed list, whatever was sent. */
function kindOf(body: unknown): string {
  const { type, command } = Object(body) as { type?: unknown; command?: unknown };
  if (type === 'event_callback') return 'event';
  const known = INTERACTIONS.find((kind) => kind === type);
  if (known !== undefined) return known;
  return type === undefined && typeof command === 'string' ? 'command' : 'other';
}

function outcomeOf({ status }: Reply): DeliveryOutcome {
  if (status === 200) return 'acknowledged';
  return status >= 500 ? 'failed' : 'refused';
}

/**
 * Drops the secrets that nothing here needs, before anything is stored or logged: the deprecated
 * verification token, and the token with which a function could act for the person who runs it.
 */
function withoutTokens({ token: _token, bot_access_token: _botToken, ...body }: Body): Body {
  if (!isBody(body.event)) return body;
  const { bot_access_token: _functionToken, ...event } = body.event;
  return { ...body, event };
}

const typeOf = ({ event }: Body) => (isBody(event) ? event.type : undefined);

/** Events for which a person waits, in front of an empty tab or pane. */
const isAwaited = (body: Body) => isHomeOpened(body) || typeOf(body) === 'entity_details_requested';

const isHomeOpened = (body: Body) => typeOf(body) === 'app_home_opened';

/** Slack repeats what a Home tab shows whenever it is opened. Nothing reads that, so it isn't stored. */
function withoutCopies(body: Body): Body {
  if (!isBody(body.event) || !isHomeOpened(body)) return body;
  const { view: _shown, ...event } = body.event;
  return { ...body, event };
}

const storedBody = z.record(z.string(), z.unknown());

const isBody = (body: unknown): body is Body =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

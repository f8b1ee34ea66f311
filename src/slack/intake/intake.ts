import type { App } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { atMost } from '../../clock.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { JobHandler } from '../../jobs/runner.ts';
import { createOutage, type Log } from '../../ops/logging.ts';
import type { DeliveryOutcome, SlackMetrics } from '../../ops/metrics/call-metrics.ts';
import type { JobStore } from '../../store/jobs.ts';
import { deliveredAt } from '../client/slack-client.ts';
import { inTime, KEEP_INTERACTIONS_MS } from '../interaction/interactions.ts';
import { SLACK_JOBS } from '../interaction/jobs.ts';
import { isSynchronous } from '../workflow-step/create-request.ts';
import { type Tenant, tenantOf } from '../workspaces/tenant.ts';
import { NotInstalledError, type Workspaces } from '../workspaces/workspaces.ts';

type Body = Record<string, unknown>;

/** The answer to one delivery: an HTTP response, or the acknowledgment over a socket. */
export type Reply = { status: number; body?: unknown };

/** What a delivery is, read before Bolt handles it. */
type Delivery =
  /** `options` is a function that has to be completed before it is acknowledged. */
  | { kind: 'event' | 'options'; eventId: string; tenant: Tenant }
  /** The identity is of one action of a person, to recognize a repeated delivery. */
  | { kind: 'interaction'; identity: string | undefined }
  | { kind: 'answered'; reply: Reply };

export type Intake = ReturnType<typeof createIntake>;

/** Slack waits 3 s; the rest is left for the network. */
const ACKNOWLEDGE_WITHIN_MS = 2_500;
const MINUTE_MS = 60_000;
const REMEMBERED_REPLIES = 10_000;

const DONE: Reply = { status: 200 };
const NOT_UNDERSTOOD: Reply = { status: 400, body: { error: 'not_understood' } };
const FAILED: Reply = { status: 500, body: { error: 'failed' } };
const NOBODY_ANSWERED: Reply = { status: 404, body: { error: 'no_handler' } };

/** The entry point for all deliveries, over HTTP or a socket. */
export function createIntake(deps: {
  bolt: Pick<App, 'processEvent'>;
  jobs: Pick<JobStore, 'add'>;
  admit: Workspaces['admit'];
  /** Deletes the data of a workspace that doesn't have the app. */
  deleteIfUninstalled: (workspaceId: WorkspaceId) => Promise<void>;
  metrics: Pick<SlackMetrics, 'delivered'>;
  now: () => Date;
  log: Log;
}) {
  const { bolt, jobs, admit, deleteIfUninstalled, metrics, now, log } = deps;
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

  /** A repeated delivery has no second effect and gets the first reply. */
  function interactOnce(body: Body, identity: string | undefined): Promise<Reply> {
    const earlier = identity && replies.get(identity);
    if (earlier) return earlier;
    const reply = interact(body, identity);
    if (identity) replies.set(identity, reply);
    return reply;
  }

  /** Times out as a failure. If the work finishes later, Slack's retry gets its result. */
  async function orFailInTime(reply: Promise<Reply>): Promise<Reply> {
    const answer = await inTime(reply, undefined, ACKNOWLEDGE_WITHIN_MS);
    if (answer) late.worked();
    else late.failed(undefined, MINUTE_MS);
    return answer ?? FAILED;
  }

  async function handle(received: unknown): Promise<Reply> {
    if (!isBody(received)) return NOT_UNDERSTOOD;
    const body = withoutUnused(received);
    const delivery = readDelivery(body);
    if (delivery.kind === 'answered') return delivery.reply;
    if (delivery.kind === 'interaction') return interactOnce(body, delivery.identity);
    const workspaceId = await admit(delivery.tenant);
    if (workspaceId === undefined) {
      const { workspaceId: workspace } = delivery.tenant;
      log.info({ workspace }, 'ignored an event: the app is not installed in its workspace');
      return DONE;
    }
    if (delivery.kind === 'options') return interactOnce(body, `options/${delivery.eventId}`);
    // Stored before it is acknowledged: Slack doesn't retry after that. `admit` has just checked that the app is there.
    const identity = `event/${delivery.eventId}`;
    const isUrgent = AWAITED.has(isBody(body.event) ? body.event.type : undefined);
    const event = { kind: SLACK_JOBS.event, workspaceId, identity, payload: body, isUrgent };
    await jobs.add(event, now());
    return DONE;
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
      const { workspaceId: workspace } = job;
      log.info({ workspace }, 'ignored an event: its workspace uninstalled the app');
      await deleteIfUninstalled(workspace);
    }
    return 'done';
  };

  return {
    /** Never rejects; resolves within Slack's three seconds. */
    async receive(body: unknown): Promise<Reply> {
      heardAt = now().getTime();
      const arrivedAt = performance.now();
      const answer = deliveredAt.run(arrivedAt, () => handle(body));
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

    handlers: { [SLACK_JOBS.event]: runStoredEvent },

    /** Resolves when all running interactions have finished. */
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },

    /** The time since the last delivery, or since the start. */
    silentSeconds: () => Math.max(0, now().getTime() - heardAt) / 1_000,
  };
}

const INTERACTIONS = [
  'block_actions',
  'block_suggestion',
  'view_submission',
  'view_closed',
  'shortcut',
  'message_action',
];

const id = z.string().min(1).max(255);
const event = z.object({ event_id: id, event: z.object({ type: z.string() }) });
/** A step of a workflow. Bolt relies on the callback ID. */
const functionExecuted = z.object({
  event: z.object({
    function: z.object({ callback_id: z.string() }),
    function_execution_id: z.string().regex(/^\w{1,40}$/),
    inputs: z.record(z.string(), z.unknown()),
  }),
});
const command = z.object({
  command: z.string().startsWith('/'),
  trigger_id: id,
  user_id: id,
  team_id: id,
  channel_id: id,
});
/** A closed modal has no trigger, and a search in a menu doesn't need an identity. */
const interaction = z.object({
  type: z.enum(INTERACTIONS),
  user: z.object({ id }),
  trigger_id: id.optional(),
  view: z.object({ id, hash: id.optional() }).optional(),
  actions: z
    .array(z.object({ action_id: z.string() }))
    .min(1)
    .optional(),
});

/** Classifies a signed body of any shape; never throws. */
function readDelivery(body: Body): Delivery {
  const unknown: Delivery = { kind: 'answered', reply: NOT_UNDERSTOOD };
  if (body.type === 'event_callback') return readEvent(body) ?? unknown;
  if (body.type === 'url_verification' && typeof body.challenge === 'string')
    return { kind: 'answered', reply: { status: 200, body: { challenge: body.challenge } } };
  if (body.type !== undefined) {
    const { type, trigger_id, view } = interaction.safeParse(body).data ?? {};
    // A view is sent or closed once; searches in its menus have to be answered one by one.
    const shown = type?.startsWith('view_') ? view : undefined;
    const action = trigger_id ?? (shown?.hash && `${shown.id}/${shown.hash}`);
    return type ? { kind: 'interaction', identity: action && `${type}/${action}` } : unknown;
  }
  if (String(body.ssl_check) === '1') return { kind: 'answered', reply: DONE };
  const typed = command.safeParse(body).data;
  return typed ? { kind: 'interaction', identity: `command/${typed.trigger_id}` } : unknown;
}

function readEvent(body: Body): Delivery | undefined {
  const { data } = event.safeParse(body);
  const tenant = tenantOf(body);
  if (!data || (tenant.workspaceId ?? tenant.organizationId) === undefined) return undefined;
  const { event_id: eventId } = data;
  if (data.event.type !== 'function_executed') return { kind: 'event', eventId, tenant };
  const step = functionExecuted.safeParse(body).data?.event;
  if (!step) return undefined;
  const kind = isSynchronous(step.function.callback_id) ? 'options' : 'event';
  return { kind, eventId, tenant };
}

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
 * Drops, before anything is stored or logged, the deprecated verification token, the token with which a function could
 * act for the person who runs it, and what a Home tab shows, which Slack repeats.
 */
function withoutUnused({ token: _token, bot_access_token: _botToken, ...body }: Body): Body {
  if (!isBody(body.event)) return body;
  const { bot_access_token: _functionToken, view: _shown, ...event } = body.event;
  return { ...body, event };
}

/** Events for which a person waits, in front of an empty tab or pane. */
const AWAITED = new Set<unknown>(['app_home_opened', 'entity_details_requested']);

const storedBody = z.record(z.string(), z.unknown());

const isBody = (body: unknown): body is Body =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

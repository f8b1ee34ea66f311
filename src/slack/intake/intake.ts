import type { App } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { JobHandler } from '../../jobs/job-attempts.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { Log } from '../../ops/logging.ts';
import { KEEP_INTERACTIONS_MS } from '../../store/prune.ts';
import { NotInstalledError, type Workspaces } from '../tenancy/workspaces.ts';
import { type Envelope, readEnvelope } from './envelope.ts';

type Body = Record<string, unknown>;
type EventEnvelope = Extract<Envelope, { kind: 'event' }>;

/** The answer to one delivery: over HTTP its status and body, over a socket its acknowledgement. */
export type Reply = { status: number; body?: unknown };

/** Where everything from Slack comes in, by either transport. */
export type Intake = {
  /** Never rejects, and always resolves within Slack's three seconds. */
  receive(body: unknown): Promise<Reply>;
  /** Runs a stored event through the same Bolt handlers as a live one. */
  runStoredEvent: JobHandler;
  /** Resolves when no interaction is being worked on. */
  idle(): Promise<void>;
};

/** The kind of job that holds an event of Slack's. */
export const SLACK_EVENT_JOB = 'slack-event';

/** Slack waits 3 s for an acknowledgement; the rest is for the way back. */
const ACKNOWLEDGE_WITHIN_MS = 2_500;
const REMEMBERED_REPLIES = 10_000;

const NOT_UNDERSTOOD: Reply = { status: 400, body: { error: 'not_understood' } };
const FAILED: Reply = { status: 500, body: { error: 'failed' } };
const NOBODY_ANSWERED: Reply = { status: 404, body: { error: 'no_handler' } };

export function createIntake(deps: {
  bolt: Pick<App, 'processEvent'>;
  queue: JobQueue;
  admit: Workspaces['admit'];
  /** Deletes what is kept of a workspace where the app is not installed. */
  forget: (workspaceId: WorkspaceId) => Promise<void>;
  log: Log;
}): Intake {
  const { bolt, queue, admit, forget, log } = deps;
  const underWay = new Set<Promise<unknown>>();
  const replies = new LRUCache<string, Promise<Reply>>({
    max: REMEMBERED_REPLIES,
    ttl: KEEP_INTERACTIONS_MS,
  });

  function interact(body: Body): Promise<Reply> {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const work: Promise<void> = bolt
      .processEvent({ body, ack: async (answer) => resolve({ status: 200, body: answer }) })
      .then(() => resolve(NOBODY_ANSWERED))
      .catch((error) => {
        log.error({ err: error, type: body.type }, 'an interaction failed');
        resolve(FAILED);
      })
      .finally(() => underWay.delete(work));
    underWay.add(work);
    return promise;
  }

  /** What is not done by then fails; should it be done later, a repeated delivery finds it so. */
  function inTime(reply: Promise<Reply>): Promise<Reply> {
    const { promise: tooLate, resolve } = Promise.withResolvers<Reply>();
    const timer = setTimeout(() => {
      log.error('a delivery was not acknowledged in time');
      resolve(FAILED);
    }, ACKNOWLEDGE_WITHIN_MS);
    return Promise.race([reply, tooLate]).finally(() => clearTimeout(timer));
  }

  /** The same interaction delivered twice has one effect, and gets the first one's reply. */
  function interactOnce(body: Body, identity: string | undefined) {
    const known = identity && replies.get(identity);
    if (known) return known;
    const reply = interact(body);
    if (identity) replies.set(identity, reply);
    return reply;
  }

  async function keep({ eventId, tenant }: EventEnvelope, body: Body): Promise<void> {
    const workspaceId = await admit(tenant);
    if (workspaceId === undefined) {
      log.info({ workspace: tenant.workspaceId }, 'an event from where the app is not installed');
      return;
    }
    // On disk before it is acknowledged: after that Slack does not send it again.
    await queue.add({
      kind: SLACK_EVENT_JOB,
      workspaceId,
      identity: `event/${eventId}`,
      payload: withoutToken(body),
    });
  }

  async function dispatch(body: unknown): Promise<Reply> {
    if (!isBody(body)) return NOT_UNDERSTOOD;
    const envelope = readEnvelope(body);
    switch (envelope.kind) {
      case 'event':
        await keep(envelope, body);
        return { status: 200 };
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

  return {
    receive: (body) =>
      inTime(
        dispatch(body).catch((error) => {
          log.error({ err: error }, 'a delivery could not be taken');
          return FAILED;
        }),
      ),

    async runStoredEvent(job) {
      try {
        await bolt.processEvent({
          body: storedBody.parse(job.payload),
          ack: async () => undefined,
          retryNum: job.attempt - 1,
          customProperties: { postponedTo: job.postponedTo },
        });
      } catch (error) {
        if (!(error instanceof NotInstalledError)) throw error;
        // It left after the event was kept; nothing of it may stay, this job included.
        log.info({ workspace: job.workspaceId }, 'an event of a workspace that has left');
        await forget(job.workspaceId);
      }
      return 'done';
    },

    async idle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

/** Slack's old verification token is a secret, and nothing here needs it. */
function withoutToken({ token: _token, ...body }: Body): Body {
  return body;
}

const storedBody = z.record(z.string(), z.unknown());

const isBody = (body: unknown): body is Body =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

import type { CardReader } from '../cards/card-reader.ts';
import { DesignApiError } from '../design-api/errors.ts';
import type { NewCard } from '../design-api/schemas.ts';
import type { JobOutcome } from '../jobs/runner.ts';
import type { Log } from '../ops/logging.ts';
import { newErrorReference } from '../references.ts';
import type { JobStore } from '../store/jobs.ts';
import type { RequestStore } from '../store/requests.ts';
import type { Transact } from '../store/transact.ts';
import type { EffectiveKeys } from '../workspaces/effective-keys.ts';
import { NotConnectedError, type ServiceAccess } from '../workspaces/service-access.ts';
import type { WorkspaceId } from '../workspaces/workspace-id.ts';
import { tellJob } from './jobs.ts';
import { moveRequest } from './move-request.ts';
import type { DesignRequest, RequestProblem, RequestState } from './request.ts';
import { resumeWaiting } from './resume-waiting.ts';

export type DeliverContext = {
  requests: RequestStore;
  transact: Transact;
  keys: EffectiveKeys;
  service: ServiceAccess;
  cards: Pick<CardReader, 'forgetCard'>;
  /** Words of the form as the service takes them; may ask Slack for names. */
  toNewCard: (request: DesignRequest) => Promise<NewCard>;
  /** Requests that this process is sending, by id; with the outcome once it is known, until it is on disk. */
  underWay: Map<string, Outcome | undefined>;
  /** Which claims of jobs still hold, in any process. */
  jobTable: Pick<JobStore, 'isHeld'>;
  now: () => Date;
  log: Log;
};

export type Outcome = {
  state: RequestState;
  problem?: RequestProblem;
  cardId?: string | undefined;
  retryAt?: Date;
};

const IN_DOUBT: Outcome = { state: 'in_doubt', problem: { code: 'outcome_unknown' } };

/** A wait that its author need not hear of, in ms since the request last moved. */
const SHORT_WAIT_MS = 5_000;
/** Waits between tries while the service can't be reached: doubled each time, in ms. */
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 5 * 60_000;

/**
 * Sends a queued request to the service, once.
 *
 * `POST /card` has no idempotency key, so "sending" is committed to disk first: a process that finds
 * a request in that state after a crash cannot know whether it arrived, and asks its author instead
 * of sending it again. It goes out again by itself only where it is certain that it did not arrive.
 *
 * @param input.claim under which this is done: as long as it holds, what it sends is not in doubt
 */
export async function deliverRequest(
  ctx: DeliverContext,
  { workspaceId, requestId, claim }: { workspaceId: WorkspaceId; requestId: string; claim: string },
): Promise<JobOutcome> {
  const request = await ctx.requests.get(workspaceId, requestId);
  if (request?.state === 'sending') {
    const known = ctx.underWay.get(request.id);
    if (known) return settle(ctx, request, known);
    if (ctx.underWay.has(request.id) || (await isSent(ctx, request))) return 'done';
    return settle(ctx, { ...request, whileSentBy: request.sentBy }, IN_DOUBT);
  }
  // Where this failed the first time, nobody else would wake what waits.
  if (request?.state === 'waiting_for_key') await resumeWaiting(ctx, workspaceId);
  if (request?.state !== 'queued') return 'done';

  const keyFingerprint = (await ctx.keys.describe(workspaceId))?.fingerprint;
  const waits = await whyItWaits(ctx, workspaceId, keyFingerprint);
  if (waits) return wait(ctx, request, waits);
  const card = await ctx.toNewCard(request);
  const attempts = request.attempts + 1;
  const change = { attempts, sentBy: claim };
  const sending = await ctx.requests.move(request, ['queued'], 'sending', change, ctx.now());
  if (!sending) return 'done';
  ctx.underWay.set(sending.id, undefined);
  const outcome = await send(ctx, sending, card, keyFingerprint);
  ctx.underWay.set(sending.id, outcome);
  return settle(ctx, sending, outcome);
}

/** Whether somebody is at work on it, in whatever process. */
const isSent = async (ctx: Pick<DeliverContext, 'jobTable'>, { sentBy }: DesignRequest) =>
  sentBy !== undefined && (await ctx.jobTable.isHeld(sentBy));

/** Why it can't be sent now, found out before anything is marked as being sent. */
async function whyItWaits(
  ctx: DeliverContext,
  workspaceId: WorkspaceId,
  keyFingerprint: string | undefined,
): Promise<Outcome | undefined> {
  try {
    await ctx.service.ready(workspaceId);
    return undefined;
  } catch (error) {
    if (error instanceof NotConnectedError) {
      return { state: 'waiting_for_key', problem: { code: error.reason, keyFingerprint } };
    }
    if (error instanceof DesignApiError && error.retryAt) return later('busy', error.retryAt);
    throw error;
  }
}

async function wait(
  ctx: DeliverContext,
  request: DesignRequest,
  outcome: Outcome,
): Promise<JobOutcome> {
  const { retryAt } = outcome;
  const isShort =
    retryAt !== undefined && retryAt.getTime() - request.updatedAt.getTime() <= SHORT_WAIT_MS;
  return isShort ? { retryAt } : settle(ctx, request, outcome);
}

async function send(
  ctx: DeliverContext,
  request: DesignRequest,
  card: NewCard,
  keyFingerprint: string | undefined,
): Promise<Outcome> {
  try {
    const created = await ctx.service.call(request.workspaceId, (api) => api.createCard(card));
    const { cardId } = created;
    // Somebody may have asked for it before it was there.
    if (cardId !== undefined) await ctx.cards.forgetCard(request.workspaceId, cardId);
    return { state: 'created', cardId };
  } catch (error) {
    if (error instanceof NotConnectedError) {
      return { state: 'waiting_for_key', problem: { code: error.reason, keyFingerprint } };
    }
    if (error instanceof DesignApiError) {
      return outcomeOf(error, { keyFingerprint, attempts: request.attempts, now: ctx.now() });
    }
    const reference = newErrorReference();
    ctx.log.error({ err: error, ref: reference, request: request.reference }, 'sending failed');
    return { state: 'in_doubt', problem: { code: 'unexpected', reference } };
  }
}

/** What an error of `createCard` means for the request. */
function outcomeOf(
  error: DesignApiError,
  tried: { keyFingerprint: string | undefined; attempts: number; now: Date },
): Outcome {
  const { keyFingerprint, attempts, now } = tried;
  switch (error.code) {
    case 'invalid_request':
    case 'not_found':
      return {
        state: 'rejected',
        problem: {
          code: 'invalid_request',
          details: error.details,
          message: error.serviceMessage,
        },
      };
    case 'unauthorized':
      return { state: 'waiting_for_key', problem: { code: 'key_rejected', keyFingerprint } };
    case 'forbidden':
      return { state: 'waiting_for_key', problem: { code: 'forbidden', keyFingerprint } };
    case 'rate_limited':
      return later('busy', error.retryAt ?? retryAfter(attempts, now));
    case 'not_sent':
      return later('unreachable', retryAfter(attempts, now));
    case 'outcome_unknown':
    case 'timed_out':
    case 'unavailable':
    case 'unreadable_answer':
      return IN_DOUBT;
  }
}

function later(code: 'busy' | 'unreachable', retryAt: Date): Outcome {
  return { state: 'queued', retryAt, problem: { code, retryAt: retryAt.getTime() } };
}

function retryAfter(attempts: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LONGEST_RETRY_MS));
}

async function settle(
  ctx: DeliverContext,
  request: DesignRequest & { whileSentBy?: string | undefined },
  { state, problem, cardId, retryAt }: Outcome,
): Promise<JobOutcome> {
  const settled = await moveRequest(ctx, request, {
    from: ['queued', 'sending'],
    to: state,
    change: { problem, cardId },
    nextJob: tellJob,
  });
  ctx.underWay.delete(request.id);
  if (!settled) return 'done';
  ctx.log.info(
    { request: settled.reference, workspace: settled.workspaceId, state, problem: problem?.code },
    'a request moved on',
  );
  // A key may have been connected while the other one was being refused; nobody else would wake it.
  if (state === 'waiting_for_key') await resumeWaiting(ctx, settled.workspaceId);
  return retryAt ? { retryAt } : 'done';
}

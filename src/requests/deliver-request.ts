import type { EffectiveKeys } from '../installations/effective-keys.ts';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { JobOutcome } from '../jobs/job-attempts.ts';
import type { Lease } from '../jobs/lease.ts';
import { newErrorReference } from '../references.ts';
import type { CardReader } from '../service/cache/card-reader.ts';
import { DesignApiError } from '../service/errors.ts';
import type { NewCard } from '../service/operations/schemas.ts';
import {
  NotConnectedError,
  type ServiceAccess,
  type ServiceSession,
} from '../service/service-access.ts';
import type { JobStore } from '../store/jobs.ts';
import { IN_DOUBT, later, type Outcome, outcomeOfError, withoutKey } from './delivery-outcome.ts';
import type { AuthorDenied, DesignRequest } from './request.ts';
import { resumeWaiting } from './resume-waiting.ts';
import { type SettleContext, settle, settleSent } from './settle-request.ts';

export type DeliverContext = SettleContext & {
  keys: EffectiveKeys;
  service: Pick<ServiceAccess, 'open'>;
  cards: Pick<CardReader, 'forgetCard'>;
  /** Whether its author may make requests at this moment; asks Slack. */
  whyAuthorDenied: (request: DesignRequest) => Promise<AuthorDenied | undefined>;
  /** Words of the form as the service takes them; may ask Slack for names. */
  toNewCard: (request: DesignRequest) => Promise<NewCard>;
  /** Requests that this process is sending, by id. */
  underWay: Map<string, Sending>;
  /** Which claims of jobs still hold, in any process. */
  jobTable: Pick<JobStore, 'isHeld'>;
  /** Where other processes share the database. */
  lease?: Pick<Lease, 'heldFromNow'> | undefined;
};

/** Under which claim it is sent; with the outcome once it is known, until it is on disk. */
export type Sending = { claim: string; outcome?: Outcome };

/** A wait that its author need not hear of, in ms since the request last moved. */
const SHORT_WAIT_MS = 5_000;
/** Between looks at what another job of this process is sending, in ms. */
const LOOK_AGAIN_MS = 1_000;

/**
 * Sends a queued request to the service, once.
 *
 * `POST /card` has no idempotency key, so "sending" is committed to disk first: a process that finds
 * a request in that state after a crash cannot know whether it arrived, and asks its author instead
 * of sending it again. It goes out again by itself only where it is certain that it did not arrive.
 *
 * A process that stood still may wake when others took it for dead long ago, and its author was asked. So
 * its lease is looked at once more when the connection to the service stands, right before the request.
 *
 * @param input.claim under which this is done: as long as it holds, what it sends is not in doubt
 */
export async function deliverRequest(
  ctx: DeliverContext,
  { workspaceId, requestId, claim }: { workspaceId: WorkspaceId; requestId: string; claim: string },
): Promise<JobOutcome> {
  const request = await ctx.requests.get(workspaceId, requestId);
  if (request?.state === 'sending') return lookAfterSending(ctx, request);
  // Where this failed the first time, nobody else would wake what waits.
  if (request?.state === 'waiting_for_key') await resumeWaiting(ctx, workspaceId);
  if (request?.state !== 'queued') return 'done';

  const isStillOurs = ctx.lease?.heldFromNow() ?? (() => true);
  const opened = await openToSend(ctx, workspaceId);
  if ('waits' in opened) return wait(ctx, request, opened.waits);
  const { session } = opened;
  const denied = await ctx.whyAuthorDenied(request);
  if (denied) {
    const outcome: Outcome = { state: 'rejected', problem: { code: 'author_denied', denied } };
    return settle(ctx, { request, whileSentBy: undefined, from: ['queued'] }, outcome);
  }
  const card = await ctx.toNewCard(request);
  // Nobody need doubt what is not going to be sent.
  if (!isStillOurs()) return { retryAt: ctx.now() };
  const change = { attempts: request.attempts + 1, sentBy: claim };
  // In the same statement, so that the claim holds from here on for as long as the lease does. A worker that
  // lost its job before must not mark the request: whoever has the job now would think it is being sent.
  const ours = { ...request, whileHeld: claim };
  const sending = await ctx.requests.changeState(ours, ['queued'], 'sending', change, ctx.now());
  if (!sending) return 'done';
  ctx.underWay.set(sending.id, { claim });
  const outcome = await send(ctx, sending, { card, session, isStillOurs });
  ctx.underWay.set(sending.id, { claim, outcome });
  return settleOnce(ctx, sending, { claim, outcome });
}

/** What is being sent is left alone; where nobody does so any more, it is in doubt. */
async function lookAfterSending(ctx: DeliverContext, request: DesignRequest): Promise<JobOutcome> {
  const { id, sentBy } = request;
  const ours = ctx.underWay.get(id);
  if (ours?.outcome) return settleOnce(ctx, request, { ...ours, outcome: ours.outcome });
  // Where it turns out that nothing was sent, this job is the one that sends it: the other's claim is lost.
  if (ours) return { retryAt: new Date(ctx.now().getTime() + LOOK_AGAIN_MS) };
  if (sentBy !== undefined && (await ctx.jobTable.isHeld(sentBy))) return 'done';
  return settle(ctx, { request, whileSentBy: sentBy, from: ['queued', 'sending'] }, IN_DOUBT);
}

async function settleOnce(
  ctx: DeliverContext,
  request: DesignRequest,
  sent: { claim: string; outcome: Outcome },
): Promise<JobOutcome> {
  const next = await settleSent(ctx, request, sent);
  ctx.underWay.delete(request.id);
  const { cardId } = sent.outcome;
  // Somebody may have asked for it before it was there. What came of it is on disk by now: until then, only
  // this process knows it.
  if (cardId !== undefined) await ctx.cards.forgetCard(request.workspaceId, cardId);
  await resumeIfWaiting(ctx, request, sent.outcome);
  return next;
}

/** A key may have been connected while the other one was being refused; nobody else would wake it. */
async function resumeIfWaiting(
  ctx: DeliverContext,
  { workspaceId }: DesignRequest,
  { state }: Outcome,
): Promise<void> {
  if (state === 'waiting_for_key') await resumeWaiting(ctx, workspaceId);
}

/** The service, if a card can be created now; otherwise what the request waits for. */
async function openToSend(
  ctx: DeliverContext,
  workspaceId: WorkspaceId,
): Promise<{ session: ServiceSession } | { waits: Outcome }> {
  try {
    const session = await ctx.service.open(workspaceId);
    await session.ready();
    return { session };
  } catch (error) {
    if (error instanceof NotConnectedError) {
      const key = await ctx.keys.describe(workspaceId);
      return { waits: withoutKey(error, key?.fingerprint) };
    }
    if (error instanceof DesignApiError && error.retryAt) {
      return { waits: later('busy', error.retryAt) };
    }
    throw error;
  }
}

async function wait(
  ctx: DeliverContext,
  request: DesignRequest,
  outcome: Outcome,
): Promise<JobOutcome> {
  const { retryAt } = outcome;
  // It moved last in what is the future by now, where the clock was set back.
  const since = Math.min(request.updatedAt.getTime(), ctx.now().getTime());
  const isShort = retryAt !== undefined && retryAt.getTime() - since <= SHORT_WAIT_MS;
  if (isShort) return { retryAt };
  const next = await settle(ctx, { request, whileSentBy: undefined, from: ['queued'] }, outcome);
  await resumeIfWaiting(ctx, request, outcome);
  return next;
}

async function send(
  ctx: DeliverContext,
  request: DesignRequest,
  how: { card: NewCard; session: ServiceSession; isStillOurs: () => boolean },
): Promise<Outcome> {
  const { card, session, isStillOurs } = how;
  try {
    const options = { maySend: isStillOurs };
    const { cardId } = await session.call((api) => api.createCard(card, options));
    return { state: 'created', cardId };
  } catch (error) {
    const tried = {
      keyFingerprint: session.fingerprint,
      attempts: request.attempts,
      now: ctx.now(),
    };
    const outcome = outcomeOfError(error, tried);
    if (outcome) return outcome.state === 'queued' && !isStillOurs() ? putBack(ctx) : outcome;
    const reference = newErrorReference();
    ctx.log.error({ err: error, ref: reference, request: request.reference }, 'sending failed');
    return { state: 'in_doubt', problem: { code: 'unexpected', reference } };
  }
}

/** Whoever has the job now decides; its author need not hear of it. */
const putBack = (ctx: DeliverContext): Outcome => ({ state: 'queued', retryAt: ctx.now() });

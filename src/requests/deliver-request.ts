import type { CardReader } from '../cards/card-reader.ts';
import { DesignApiError } from '../design-api/errors.ts';
import type { NewCard } from '../design-api/schemas.ts';
import type { Lease } from '../jobs/lease.ts';
import type { JobOutcome } from '../jobs/runner.ts';
import { newErrorReference } from '../references.ts';
import type { JobStore } from '../store/jobs.ts';
import type { EffectiveKeys } from '../workspaces/effective-keys.ts';
import { NotConnectedError, type ServiceAccess } from '../workspaces/service-access.ts';
import type { WorkspaceId } from '../workspaces/workspace-id.ts';
import { IN_DOUBT, later, type Outcome, outcomeOfError, withoutKey } from './delivery-outcome.ts';
import type { DesignRequest } from './request.ts';
import { resumeWaiting } from './resume-waiting.ts';
import { type SettleContext, settle, settleSent } from './settle-request.ts';

export type DeliverContext = SettleContext & {
  keys: EffectiveKeys;
  service: ServiceAccess;
  cards: Pick<CardReader, 'forgetCard'>;
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
  // From here on the claim holds as long as the lease: before, it may have been lost already.
  if (!(await ctx.jobTable.isHeld(claim))) return 'done';
  const keyFingerprint = (await ctx.keys.describe(workspaceId))?.fingerprint;
  const waits = await whyItWaits(ctx, workspaceId, keyFingerprint);
  if (waits) return wait(ctx, request, waits);
  const card = await ctx.toNewCard(request);
  // Nobody need doubt what is not going to be sent.
  if (!isStillOurs()) return { retryAt: ctx.now() };
  const change = { attempts: request.attempts + 1, sentBy: claim };
  const sending = await ctx.requests.move(request, ['queued'], 'sending', change, ctx.now());
  if (!sending) return 'done';
  ctx.underWay.set(sending.id, { claim });
  const outcome = await send(ctx, sending, { card, keyFingerprint, isStillOurs });
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
    if (error instanceof NotConnectedError) return withoutKey(error, keyFingerprint);
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
  if (isShort) return { retryAt };
  const next = await settle(ctx, { request, whileSentBy: undefined, from: ['queued'] }, outcome);
  await resumeIfWaiting(ctx, request, outcome);
  return next;
}

async function send(
  ctx: DeliverContext,
  request: DesignRequest,
  how: { card: NewCard; keyFingerprint: string | undefined; isStillOurs: () => boolean },
): Promise<Outcome> {
  const { card, keyFingerprint, isStillOurs } = how;
  try {
    const options = { maySend: isStillOurs };
    const { cardId } = await ctx.service.call(request.workspaceId, (api) =>
      api.createCard(card, options),
    );
    return { state: 'created', cardId };
  } catch (error) {
    const tried = { keyFingerprint, attempts: request.attempts, now: ctx.now() };
    const outcome = outcomeOfError(error, tried);
    if (outcome) return outcome.state === 'queued' && !isStillOurs() ? putBack(ctx) : outcome;
    const reference = newErrorReference();
    ctx.log.error({ err: error, ref: reference, request: request.reference }, 'sending failed');
    return { state: 'in_doubt', problem: { code: 'unexpected', reference } };
  }
}

/** Whoever has the job now decides; its author need not hear of it. */
const putBack = (ctx: DeliverContext): Outcome => ({ state: 'queued', retryAt: ctx.now() });

import type { WorkspaceId } from '../installations/workspace-id.ts';
import { RetryLaterError } from '../jobs/retry-later.ts';
import { claimHeld, type JobOutcome } from '../jobs/runner.ts';
import { newErrorReference } from '../references.ts';
import type { CardReader } from '../service/cache/card-reader.ts';
import type { ReferenceLists } from '../service/cache/reference-lists.ts';
import { DesignApiError, isTransient } from '../service/errors.ts';
import type { NewCard } from '../service/operations/card.ts';
import {
  type EffectiveKeys,
  NotConnectedError,
  type ServiceAccess,
  type ServiceSession,
} from '../service/service-access.ts';
import type { JobStore } from '../store/jobs.ts';
import { isUnlistedForm, matchLists } from './match-lists.ts';
import type { AuthorDenied, DesignRequest, RequestForm, RequestProblem } from './request.ts';
import { resumeWaiting } from './resume.ts';
import {
  IN_DOUBT,
  outcomeOfError,
  queuedUntil,
  type RecordContext,
  recordOutcome,
  recordSendOutcome,
  type SendOutcome,
  waitingForKey,
} from './send-outcome.ts';

export type SendContext = RecordContext & {
  keys: EffectiveKeys;
  service: Pick<ServiceAccess, 'open'>;
  cards: Pick<CardReader, 'forgetCard'>;
  referenceLists: Pick<ReferenceLists, 'formOptions'>;
  /** Why the author may not make requests now; asks Slack. */
  checkAuthor: (request: DesignRequest) => Promise<AuthorDenied | undefined>;
  /** Asks Slack. @throws RetryLaterError during an upload, or if Slack is silent */
  checkFiles: (request: DesignRequest) => Promise<RequestProblem | undefined>;
  /** May ask Slack for names. */
  toNewCard: (request: DesignRequest) => Promise<NewCard>;
  /** Requests that this process is sending, by ID. */
  inFlight: Map<string, InFlight>;
  jobTable: Pick<JobStore, 'isHeld'>;
};

/** The job's claim, the key, and the outcome until that is stored. */
export type InFlight = { claim: string; fingerprint: string; outcome?: SendOutcome };

/**
 * A retry that is due within this many ms of the request's last change isn't stored as another change.
 * A longer wait shows in the modal and, if it exceeds `MIN_ANNOUNCED_WAIT_MS`, in a message.
 */
const SHORT_WAIT_MS = 5_000;
const LISTS_AGAIN_MS = 15_000;
/** How often a job checks a request that another job of this process is sending, in ms. */
const IN_FLIGHT_CHECK_MS = 1_000;

/**
 * Sends a queued request once.
 *
 * `POST /card` has no idempotency key, so the state `sending` is committed first. After a crash, a
 * request in that state may have arrived, so it is in doubt. A request is sent again automatically
 * only if it is certain that it didn't arrive.
 *
 * A paused process may continue after others considered it dead and the author was asked. So its
 * claim is checked on the open connection to the service, right before the request is written.
 *
 * @param input.claim of this job: while it is held, the request isn't in doubt
 */
export async function sendRequest(
  ctx: SendContext,
  { workspaceId, requestId, claim }: { workspaceId: WorkspaceId; requestId: string; claim: string },
): Promise<JobOutcome> {
  const request = await ctx.requests.get(workspaceId, requestId);
  if (request?.state === 'sending') return checkSending(ctx, request);
  // A key may have been connected just before it began to wait, and resuming it then failed.
  if (request?.state === 'waiting_for_key') await resumeWaiting(ctx, workspaceId);
  if (request?.state !== 'queued') return 'done';
  if (request.problem?.code === 'unreadable') return reject(ctx, request, request.problem);

  const opened = await openToSend(ctx, workspaceId);
  if ('wait' in opened) return postpone(ctx, request, opened.wait);
  const { session } = opened;
  const denied = await ctx.checkAuthor(request);
  const problem: RequestProblem | undefined = denied
    ? { code: 'author_denied', denied }
    : await ctx.checkFiles(request);
  if (problem) return reject(ctx, request, problem);
  const form = await formForKey(ctx, request, session);
  if (!form) return reject(ctx, request, { code: 'incomplete' });
  const card = await ctx.toNewCard({ ...request, form });
  const change = {
    attempts: request.attempts + 1,
    sentBy: claim,
    ...(form === request.form ? {} : { form }),
  };
  // Checks the claim, too: if the job is lost, its new owner would think that it is being sent.
  const claimed = { ...request, whileHeld: claim };
  const sending = await ctx.requests.changeState(claimed, ['queued'], 'sending', change, ctx.now());
  if (!sending) return 'done';
  const inFlight = { claim, fingerprint: session.fingerprint };
  ctx.inFlight.set(sending.id, inFlight);
  const outcome = await send(ctx, sending, { card, session });
  ctx.inFlight.set(sending.id, { ...inFlight, outcome });
  return finish(ctx, sending, { ...inFlight, outcome });
}

const UNSENT = { whileSentBy: undefined, from: ['queued'] as const };

const reject = (ctx: SendContext, request: DesignRequest, problem: RequestProblem) =>
  recordOutcome(ctx, { request, ...UNSENT }, { state: 'rejected', problem });

/**
 * If the key was connected after the form was sent, the form may have choices of another account.
 *
 * @returns the form for this key; undefined if its author has to choose again
 * @throws RetryLaterError if the lists can't be read now
 */
async function formForKey(
  ctx: SendContext,
  { workspaceId, form, createdAt }: DesignRequest,
  { keyConnectedAt }: ServiceSession,
): Promise<RequestForm | undefined> {
  if (keyConnectedAt <= createdAt && !isUnlistedForm(form)) return form;
  const again = () => new Date(ctx.now().getTime() + LISTS_AGAIN_MS);
  const lists = await ctx.referenceLists.formOptions(workspaceId).catch((error: unknown) => {
    throw isTransient(error)
      ? new RetryLaterError(error.retryAt ?? again(), { cause: error })
      : error;
  });
  if (lists.withoutKey) throw new NotConnectedError(lists.withoutKey);
  if (lists.brandsPending && form.brand) throw new RetryLaterError(again());
  return matchLists(form, lists);
}

/** Leaves alone a request that is being sent. If no process is sending it any more, it is in doubt. */
async function checkSending(ctx: SendContext, request: DesignRequest): Promise<JobOutcome> {
  const { id, sentBy } = request;
  const inFlight = ctx.inFlight.get(id);
  if (inFlight?.outcome) return finish(ctx, request, { ...inFlight, outcome: inFlight.outcome });
  // If nothing was sent, this job has to send it: the other one has lost its claim.
  if (inFlight) return { retryAt: new Date(ctx.now().getTime() + IN_FLIGHT_CHECK_MS) };
  if (sentBy !== undefined && (await ctx.jobTable.isHeld(sentBy))) return 'done';
  // Also from `queued`: the sender, which lost its job, may just have stored that nothing was sent.
  return recordOutcome(
    ctx,
    { request, whileSentBy: sentBy, from: ['queued', 'sending'] },
    IN_DOUBT,
  );
}

async function finish(
  ctx: SendContext,
  request: DesignRequest,
  sent: InFlight & { outcome: SendOutcome },
): Promise<JobOutcome> {
  const next = await recordSendOutcome(ctx, request, sent);
  ctx.inFlight.delete(request.id);
  const { workspaceId } = request;
  const { fingerprint, outcome } = sent;
  const { cardId: id } = outcome;
  // Someone may have asked for the card before it existed, so "not found" may be cached. Storing
  // the outcome came first, because only this process knew it.
  if (id !== undefined) await ctx.cards.forgetCard({ workspaceId, fingerprint, id });
  // A new key may have been connected while the service was refusing the old one.
  if (outcome.state === 'waiting_for_key') await resumeWaiting(ctx, workspaceId);
  return next;
}

/** @returns a session in which a card can be created now, or why the request has to wait */
async function openToSend(
  ctx: SendContext,
  workspaceId: WorkspaceId,
): Promise<{ session: ServiceSession } | { wait: SendOutcome }> {
  try {
    const session = await ctx.service.open(workspaceId);
    await session.ready();
    return { session };
  } catch (error) {
    if (error instanceof NotConnectedError) {
      const key = await ctx.keys.describe(workspaceId);
      return { wait: waitingForKey(error, key?.fingerprint) };
    }
    if (error instanceof DesignApiError && error.retryAt) {
      return { wait: queuedUntil(error.retryAt, 'busy') };
    }
    throw error;
  }
}

async function postpone(ctx: SendContext, request: DesignRequest, outcome: SendOutcome) {
  const { retryAt } = outcome;
  const isShort =
    retryAt !== undefined && retryAt.getTime() - request.updatedAt.getTime() <= SHORT_WAIT_MS;
  if (isShort) return { retryAt };
  const next = await recordOutcome(ctx, { request, ...UNSENT }, outcome);
  if (outcome.state === 'waiting_for_key') await resumeWaiting(ctx, request.workspaceId);
  return next;
}

async function send(
  ctx: SendContext,
  request: DesignRequest,
  { card, session }: { card: NewCard; session: ServiceSession },
): Promise<SendOutcome> {
  const isHeld = claimHeld();
  try {
    const options = { maySend: isHeld };
    const { cardId } = await session.call((api) => api.createCard(card, options));
    return { state: 'created', cardId };
  } catch (error) {
    const tried = {
      keyFingerprint: session.fingerprint,
      attempts: request.attempts,
      now: ctx.now(),
    };
    const outcome = outcomeOfError(error, tried);
    // Nothing was sent as the claim was lost. Nothing to announce: the job's new owner continues.
    if (outcome?.state === 'queued' && !isHeld()) {
      return { state: 'queued', retryAt: ctx.now() };
    }
    if (outcome) return outcome;
    const reference = newErrorReference();
    const about = { err: error, ref: reference, request: request.reference };
    ctx.log.error(about, 'unexpected error while sending a request');
    return { state: 'in_doubt', problem: { code: 'unexpected', reference } };
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { JobOutcome } from '../jobs/runner.ts';
import type { Log } from '../ops/logging.ts';
import { DesignApiError, type DesignApiErrorCode } from '../service/errors.ts';
import { NotConnectedError } from '../service/service-access.ts';
import { type ChangeContext, changeRequestState } from './change-request-state.ts';
import { nextJobOf } from './jobs.ts';
import type { DesignRequest, RequestProblem, RequestState } from './request.ts';

export type SendOutcome = {
  state: RequestState;
  problem?: RequestProblem;
  cardId?: string | undefined;
  retryAt?: Date;
  /** Why it is in doubt, for the log: the HTTP status if there was an answer. */
  cause?: { code: DesignApiErrorCode; status?: number | undefined };
};

export const IN_DOUBT: SendOutcome = { state: 'in_doubt', problem: { code: 'outcome_unknown' } };

/** Pauses while the service can't be reached, doubled each time, in ms. */
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 5 * 60_000;

/** @returns undefined for an error that sending isn't expected to throw */
export function outcomeOfError(
  error: unknown,
  /** `attempts` includes this one. */
  tried: { keyFingerprint: string | undefined; attempts: number; now: Date },
): SendOutcome | undefined {
  const { keyFingerprint, attempts, now } = tried;
  if (error instanceof NotConnectedError) return waitingForKey(error, keyFingerprint);
  if (!(error instanceof DesignApiError)) return undefined;
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
      return queuedUntil(error.retryAt ?? retryAfter(attempts, now), 'busy');
    case 'not_sent':
      return queuedUntil(retryAfter(attempts, now), 'unreachable');
    case 'outcome_unknown':
    case 'timed_out':
    case 'unavailable':
    case 'unreadable_answer':
      return {
        state: 'in_doubt',
        problem: { code: 'outcome_unknown', doubt: doubtOf(error) },
        cause: { code: error.code, status: error.status },
      };
  }
}

function doubtOf({ status }: DesignApiError): RequestProblem['doubt'] {
  if (status === undefined) return 'no_answer';
  return status < 500 ? 'unclear_answer' : 'service_error';
}

export function waitingForKey(
  { reason }: NotConnectedError,
  keyFingerprint: string | undefined,
): SendOutcome {
  return { state: 'waiting_for_key', problem: { code: reason, keyFingerprint } };
}

export function queuedUntil(retryAt: Date, code: 'busy' | 'unreachable'): SendOutcome {
  return { state: 'queued', retryAt, problem: { code, retryAt: retryAt.getTime() } };
}

function retryAfter(attempts: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LONGEST_RETRY_MS));
}

export type RecordContext = ChangeContext & {
  /** Ends the retries when the process stops. */
  stopping: AbortSignal;
  log: Log;
};

/** A request, the claim that sent it (if any), and the states in which the outcome still counts. */
type Recording = {
  request: DesignRequest;
  whileSentBy: string | undefined;
  from: readonly RequestState[];
};

/** Pauses while storing an outcome that only this process knows fails, in ms: a minute in all. */
const STORE_RETRIES_MS = [100, 200, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/**
 * Stores nothing if the request was sent again meanwhile. Retries for a minute.
 *
 * That a card was created or refused is certain, so it counts even after the author was asked. That
 * nothing was sent, or that the outcome is unknown, counts only if nobody has decided otherwise.
 *
 * @throws the database's error; the caller may try again
 */
export async function recordSendOutcome(
  ctx: RecordContext,
  request: DesignRequest,
  { claim, outcome }: { claim: string; outcome: SendOutcome },
): Promise<JobOutcome> {
  const isCertain = outcome.state !== 'queued' && outcome.state !== 'in_doubt';
  const from = isCertain ? (['sending', 'queued', 'in_doubt'] as const) : (['sending'] as const);
  const recording = { request, whileSentBy: claim, from };
  for (const pause of STORE_RETRIES_MS) {
    try {
      return await recordOutcome(ctx, recording, outcome);
    } catch (error) {
      if (ctx.stopping.aborted) throw error;
      const about = { err: error, request: request.reference };
      ctx.log.warn(about, 'could not store the outcome of a request, will retry');
      await sleep(pause, undefined, { signal: ctx.stopping }).catch(() => undefined);
    }
  }
  return recordOutcome(ctx, recording, outcome);
}

/** With the job that announces the request or searches for it. */
export async function recordOutcome(
  ctx: RecordContext,
  { request, whileSentBy, from }: Recording,
  { state, problem, cardId, retryAt, cause }: SendOutcome,
): Promise<JobOutcome> {
  const current = { ...request, whileSentBy };
  const needsJob = state !== 'queued' || problem !== undefined;
  const changed = needsJob
    ? await changeRequestState(ctx, current, {
        from,
        to: state,
        change: { problem, cardId },
        nextJob: nextJobOf,
      })
    : await ctx.requests.changeState(current, from, state, {}, ctx.now());
  const next = retryAt ? { retryAt } : 'done';
  // Another process has reclaimed the request's job.
  if (!changed) return state === 'queued' ? next : 'done';
  const { reference, workspaceId } = changed;
  const about = {
    request: reference,
    workspace: workspaceId,
    state,
    problem: problem?.code,
    cause,
  };
  if (state === 'in_doubt') ctx.log.warn(about, 'a request may or may not have arrived');
  else ctx.log.info(about, 'request state changed');
  return next;
}

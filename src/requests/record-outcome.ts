import { setTimeout as sleep } from 'node:timers/promises';
import type { JobOutcome } from '../jobs/job-attempts.ts';
import type { Log } from '../ops/logging.ts';
import type { RequestStore } from '../store/requests.ts';
import type { Transact } from '../store/transact.ts';
import { changeRequestState } from './change-request-state.ts';
import { nextJobOf } from './jobs.ts';
import type { DesignRequest, RequestState } from './request.ts';
import type { SendOutcome } from './send-outcome.ts';

export type RecordContext = {
  requests: RequestStore;
  transact: Transact;
  /** Ends the retries when the process stops. */
  stopping: AbortSignal;
  now: () => Date;
  log: Log;
};

/** A request, the claim that sent it (if any), and the states in which the outcome still counts. */
export type Recording = {
  request: DesignRequest;
  whileSentBy: string | undefined;
  from: readonly RequestState[];
};

/** Pauses between attempts to store an outcome that only this process knows, in ms: a minute in total. */
const STORE_RETRIES_MS = [100, 200, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/**
 * Stores the outcome of sending a request, unless it was sent again meanwhile. Retries for a minute.
 *
 * That a card was created or refused is certain, so it counts even after the author was asked. That nothing
 * was sent, or that the outcome is unknown, counts only if nobody has decided otherwise since.
 *
 * @throws the database's error if the outcome can't be stored; the caller may try again
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

/** Changes the request's state and adds the job that announces it or searches for it. */
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

import { setTimeout as sleep } from 'node:timers/promises';
import type { JobOutcome } from '../jobs/job-attempts.ts';
import type { Log } from '../ops/logging.ts';
import type { RequestStore } from '../store/requests.ts';
import type { Transact } from '../store/transact.ts';
import { changeRequestState } from './change-request-state.ts';
import type { Outcome } from './delivery-outcome.ts';
import { tellJob } from './jobs.ts';
import type { DesignRequest, RequestState } from './request.ts';

export type SettleContext = {
  requests: RequestStore;
  transact: Transact;
  /** Ends the waiting for a database that can't be written. */
  stopping: AbortSignal;
  now: () => Date;
  log: Log;
};

/** A request, under which claim it was sent where it was, and in which states its outcome counts. */
export type Settling = {
  request: DesignRequest;
  whileSentBy: string | undefined;
  from: readonly RequestState[];
};

/** Pauses between tries to write an outcome that nobody else knows, in ms: a minute in all. */
const WRITE_AGAIN_MS = [100, 200, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/**
 * Writes what came of sending, if nobody sent it again since.
 *
 * That a card was made, or refused, is believed also after its author was asked: it is certain. That
 * nothing was sent, or that nobody knows, counts only as long as nobody has decided otherwise.
 *
 * @throws the database's error where it can't be written for a minute; the outcome may be written later
 */
export async function settleSent(
  ctx: SettleContext,
  request: DesignRequest,
  { claim, outcome }: { claim: string; outcome: Outcome },
): Promise<JobOutcome> {
  const isCertain = outcome.state !== 'queued' && outcome.state !== 'in_doubt';
  const from = isCertain ? (['sending', 'queued', 'in_doubt'] as const) : (['sending'] as const);
  const settling = { request, whileSentBy: claim, from };
  for (const pause of WRITE_AGAIN_MS) {
    try {
      return await settle(ctx, settling, outcome);
    } catch (error) {
      if (ctx.stopping.aborted) throw error;
      const about = { err: error, request: request.reference };
      ctx.log.warn(about, 'the outcome of a request could not be kept, tried again');
      await sleep(pause, undefined, { signal: ctx.stopping }).catch(() => undefined);
    }
  }
  return settle(ctx, settling, outcome);
}

/** Moves the request on, and makes the job that tells of it. */
export async function settle(
  ctx: SettleContext,
  { request, whileSentBy, from }: Settling,
  { state, problem, cardId, retryAt }: Outcome,
): Promise<JobOutcome> {
  const held = { ...request, whileSentBy };
  const isWorthAWord = state !== 'queued' || problem !== undefined;
  const settled = isWorthAWord
    ? await changeRequestState(ctx, held, {
        from,
        to: state,
        change: { problem, cardId },
        nextJob: tellJob,
      })
    : await ctx.requests.changeState(held, from, state, {}, ctx.now());
  const next = retryAt ? { retryAt } : 'done';
  // Where the claim is lost, the job is somebody else's, and none of this is written.
  if (!settled) return state === 'queued' ? next : 'done';
  ctx.log.info(
    { request: settled.reference, workspace: settled.workspaceId, state, problem: problem?.code },
    'a request moved on',
  );
  return next;
}

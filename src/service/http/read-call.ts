import { setTimeout as pause } from 'node:timers/promises';
import { DesignApiError } from '../errors.ts';
import { answerFailure, refusalCode } from './answer-failure.ts';
import { type Answer, type Call, type ClientContext, call } from './call.ts';
import type { Fault } from './exchange.ts';
import { retryPauseMs } from './retry-pause.ts';

/** After 5xx, 408, timeouts, and network errors. */
const MAX_GET_RETRIES = 3;

export type ReadCall = Omit<Call, 'method' | 'body'> & {
  /** Whether the service always has what is read, so that whoever answers 404 isn't the service. */
  exists?: boolean | undefined;
};

type Attempt<T> = { value: T } | { error: DesignApiError; canRetry: boolean };

/**
 * Reads from the service, with retries. It doesn't wait after a 429.
 *
 * @param interpret converts the answer's JSON, or returns undefined if it can't
 * @throws DesignApiError
 */
export async function read<T>(
  ctx: ClientContext,
  readCall: ReadCall,
  interpret: (body: unknown) => T | undefined,
): Promise<T> {
  let outcome = await attempt(ctx, readCall, interpret);
  for (let retries = 0; !('value' in outcome); retries += 1) {
    const { error, canRetry } = outcome;
    if (!canRetry || retries === MAX_GET_RETRIES) throw error;
    try {
      const wait = retryPauseMs(retries, ctx.timeouts.retryBase, Math.random());
      await pause(wait, undefined, { signal: readCall.signal });
      outcome = await attempt(ctx, readCall, interpret);
    } catch {
      // The caller's signal or the gate ended the retries.
      throw error;
    }
  }
  return outcome.value;
}

async function attempt<T>(
  ctx: ClientContext,
  readCall: ReadCall,
  interpret: (body: unknown) => T | undefined,
): Promise<Attempt<T>> {
  const { operation, exists } = readCall;
  const result = await call(ctx, { ...readCall, method: 'GET' });
  if (result.kind === 'fault') return interrupted(operation, result.fault, result.reason);
  if (result.status < 200 || result.status > 299) {
    return refused(ctx, { ...result, operation, exists });
  }
  if (result.broken) {
    const { fault, reason } = result.broken;
    if (fault === 'too_large' || fault === 'garbled') {
      return unreadable(ctx, { ...result, operation, exists });
    }
    return interrupted(operation, fault === 'cut_off' ? 'network' : fault, reason, result.status);
  }
  // A copy: a slice of a string would keep the whole answer in memory for as long as the value is cached.
  const value = structuredClone(interpret(result.json));
  return value === undefined ? unreadable(ctx, { ...result, operation, exists }) : { value };
}

type ReadAnswer = Answer & Pick<ReadCall, 'operation' | 'exists'>;

function refused(ctx: ClientContext, answer: ReadAnswer): Attempt<never> {
  const { status } = answer;
  if (status < 400) return unreadable(ctx, answer);
  const own = status >= 500 ? 'unavailable' : refusalCode(status);
  const error = answerFailure({ own, other: 'unreadable_answer' }, answer, ctx);
  return { error, canRetry: status >= 500 || status === 408 };
}

function unreadable(ctx: ClientContext, answer: ReadAnswer): Attempt<never> {
  const code = 'unreadable_answer';
  return { error: answerFailure({ own: code, other: code }, answer, ctx), canRetry: false };
}

function interrupted(
  operation: string,
  fault: Fault,
  reason: string,
  status?: number,
): Attempt<never> {
  const [code, description] = FAULTS[fault];
  const message = `${operation}: ${description}`;
  const error = new DesignApiError({ code, operation, message, status, cause: reason });
  return { error, canRetry: fault !== 'aborted' };
}

const FAULTS = {
  network: ['unavailable', 'the design service could not be reached'],
  timed_out: ['timed_out', 'the design service took too long'],
  aborted: ['timed_out', 'the caller stopped waiting'],
  withheld: ['unavailable', 'not sent, because the process had been paused for too long'],
} as const;

import { setTimeout as pause } from 'node:timers/promises';
import { DesignApiError } from '../errors.ts';
import { answerFailure, refusalCode } from './answer-failure.ts';
import { type Answer, type Call, type Connection, call } from './connection.ts';
import type { Fault } from './exchange.ts';
import { retryPauseMs } from './retry-pause.ts';

/** How often a read is repeated after 5xx, 408, time-outs and network faults. */
const MAX_GET_RETRIES = 3;

export type ReadCall = Omit<Call, 'method' | 'body'>;

type Attempt<T> = { value: T } | { error: DesignApiError; repeat: boolean };

/**
 * Reads from the service and repeats what may pass by itself; a 429 is not waited for.
 * @param interpret turns the answer's JSON into a value, undefined where it cannot
 * @throws DesignApiError
 */
export async function read<T>(
  connection: Connection,
  reading: ReadCall,
  interpret: (body: unknown) => T | undefined,
): Promise<T> {
  let outcome = await attempt(connection, reading, interpret);
  for (let retries = 0; !('value' in outcome); retries += 1) {
    const { error, repeat } = outcome;
    if (!repeat || retries === MAX_GET_RETRIES) throw error;
    try {
      const wait = retryPauseMs(retries, connection.timeouts.retryBase, Math.random());
      await pause(wait, undefined, { signal: reading.signal });
      outcome = await attempt(connection, reading, interpret);
    } catch {
      // The caller's signal, or the gate, ended it: what failed last is what is told.
      throw error;
    }
  }
  return outcome.value;
}

async function attempt<T>(
  connection: Connection,
  reading: ReadCall,
  interpret: (body: unknown) => T | undefined,
): Promise<Attempt<T>> {
  const { operation } = reading;
  const result = await call(connection, { ...reading, method: 'GET' });
  if (result.kind === 'fault') return interrupted(operation, result.fault, result.reason);
  if (result.status < 200 || result.status > 299) return refused(connection, operation, result);
  if (result.broken) {
    const { fault, reason } = result.broken;
    if (fault === 'too_large' || fault === 'garbled') {
      return unreadable(connection, operation, result);
    }
    return interrupted(operation, fault === 'cut_off' ? 'network' : fault, reason, result.status);
  }
  // A copy, since values are cached: a text cut out of a longer one keeps all of it in memory.
  const value = structuredClone(interpret(result.json));
  return value === undefined ? unreadable(connection, operation, result) : { value };
}

function refused(connection: Connection, operation: string, answer: Answer): Attempt<never> {
  const { status } = answer;
  if (status < 400) return unreadable(connection, operation, answer);
  const code = status >= 500 ? 'unavailable' : refusalCode(status);
  const error = answerFailure(code, { ...answer, operation }, connection);
  return { error, repeat: status >= 500 || status === 408 };
}

function unreadable(connection: Connection, operation: string, answer: Answer): Attempt<never> {
  const error = answerFailure('unreadable_answer', { ...answer, operation }, connection);
  return { error, repeat: false };
}

function interrupted(
  operation: string,
  fault: Fault,
  reason: string,
  status?: number,
): Attempt<never> {
  const told = {
    network: { code: 'unavailable', words: 'the design service could not be reached' },
    timed_out: { code: 'timed_out', words: 'the design service took too long' },
    aborted: { code: 'timed_out', words: 'the caller stopped waiting' },
    withheld: { code: 'unavailable', words: 'not sent, since this process was frozen on the way' },
  } as const;
  const { code, words } = told[fault];
  const message = `${operation}: ${words}`;
  const error = new DesignApiError({ code, operation, message, status, cause: reason });
  return { error, repeat: fault !== 'aborted' };
}

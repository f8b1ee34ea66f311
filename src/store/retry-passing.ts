import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../ops/logging.ts';
import { DatabaseError } from './database-error.ts';
import { codeOf, isServerAway } from './postgres/errors.ts';
import { isLocked } from './sqlite/errors.ts';

/**
 * Answers of Postgres after which the same work may succeed: deadlocks and serialization failures (40), too little of
 * something (53), canceled, stopping, or starting (57), and locked
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const PASSING_ANSWERS = /^(40|53|57|55P03)/;
/** From pg, without a code. */
const LOST = 'terminated';

const PAUSE_MS = 250;

/** Repeats work while the database can't do it for now, and logs why once. The work must tolerate repetition. */
export async function retryPassing<Result>(work: () => Promise<Result>, log: Log): Promise<Result> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (isFirst) log.warn({ err: error }, 'the database can’t do this now; retrying');
      await sleep(PAUSE_MS);
    }
  }
}

function isPassing(error: unknown): boolean {
  if (isLocked(error)) return true;
  // One that can't be used from the start may have a wrong address, which an operator wants to hear at once.
  const isFirstContact = error instanceof DatabaseError;
  const { cause, message } = error instanceof Error ? error : {};
  const code = codeOf(isFirstContact ? cause : error) ?? '';
  if (PASSING_ANSWERS.test(code) || message?.includes(LOST)) return true;
  return !isFirstContact && isServerAway(error);
}

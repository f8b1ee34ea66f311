import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../ops/logging.ts';
import { DatabaseError } from './database-error.ts';
import { codeOf } from './postgres/errors.ts';
import { DatabaseBusyError } from './sqlite/busy.ts';

/**
 * Answers of Postgres after which the same work may succeed: deadlocks and serialization failures (40), too little of
 * something (53), canceled, stopping, or starting (57), locked, and a primary that is being replaced
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const PASSING_ANSWERS = /^(08|40|53|57)|^(55P03|25006)$/;
const NETWORK_ERRORS = /^E(CONN|PIPE|TIMEDOUT|HOST|NET|AI_AGAIN|NOTFOUND)/;
/** From pg and our pool, without a code. */
const LOST_CONNECTION = /timeout|terminated|is stuck|not queryable/;

const PAUSE_MS = 500;

/** Repeats work while the database can't do it for now. The work must tolerate repetition. */
export async function retryPassing<Result>(work: () => Promise<Result>, log: Log): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
      log.warn({ err: error }, 'the database can’t do this now; retrying');
      await sleep(PAUSE_MS);
    }
  }
}

function isPassing(error: unknown): boolean {
  // A database that couldn't even be reached may have a wrong address, which an operator wants to hear at once.
  if (error instanceof DatabaseError) return PASSING_ANSWERS.test(codeOf(error.cause) ?? '');
  if (error instanceof DatabaseBusyError) return true;
  const code = codeOf(error);
  if (code !== undefined) return PASSING_ANSWERS.test(code) || NETWORK_ERRORS.test(code);
  return error instanceof Error && LOST_CONNECTION.test(error.message);
}

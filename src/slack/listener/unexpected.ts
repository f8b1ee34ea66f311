import type { Log } from '../../ops/logging.ts';
import { newErrorReference } from '../../references.ts';
import { unexpected } from '../words/errors.ts';

/**
 * Logs an error that nobody foresaw under a new reference.
 *
 * @param what happened, for the log
 * @param context what else the log is told, for example an action's id
 * @param words made from the reference (`E-…`), for whoever met the error
 */
export function reportUnexpected(
  log: Log,
  error: unknown,
  what: string,
  {
    context = {},
    words = unexpected,
  }: {
    context?: Record<string, unknown>;
    words?: (reference: string) => string;
  } = {},
): string {
  const reference = newErrorReference();
  log.error({ err: error, ref: reference, ...context }, what);
  return words(reference);
}

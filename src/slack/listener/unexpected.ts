import type { Log } from '../../ops/logging.ts';
import { newErrorReference } from '../../references.ts';
import { unexpected } from '../words/errors.ts';

/**
 * Logs an unexpected error under a new reference (`E-…`).
 *
 * @param what the log message
 * @param context more fields for the log, such as the action's ID
 * @returns the text to show, made by `words` from the reference
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

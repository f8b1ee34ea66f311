import type { Log } from '../../ops/logging.ts';
import { DesignApiError } from '../../service/errors.ts';
import { NotConnectedError } from '../../service/service-access.ts';
import { reportUnexpected } from '../listener/unexpected.ts';
import { wordsForReadError } from './errors.ts';

/**
 * Why something could not be read from the service, in words.
 *
 * @throws the error itself where it is not the service's: it is logged and told with its reference
 */
export function wordsForServiceTrouble(error: unknown): string {
  if (isServiceTrouble(error)) return wordsForReadError(error);
  throw error;
}

/** The same where nobody else would log and tell an unforeseen error. */
export function wordsForAnyTrouble(log: Log, error: unknown): string {
  if (isServiceTrouble(error)) return wordsForReadError(error);
  return reportUnexpected(log, error, 'something could not be read');
}

const isServiceTrouble = (error: unknown): error is DesignApiError | NotConnectedError =>
  error instanceof DesignApiError || error instanceof NotConnectedError;

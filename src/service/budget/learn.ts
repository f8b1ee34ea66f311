import type { Exchange } from '../http/exchange.ts';
import { readRateLimit, retryMoment } from '../http/rate-limit.ts';
import { type Budget, countLater, followHeaders, MARGIN_MS, waitFor } from './budget.ts';

/** A call that has ended. Times in ms. */
export type EndedCall = {
  exchange: Exchange;
  grantedAt: number;
  endedAt: number;
  /** Other calls that were running when it ended. */
  inFlight: number;
};

const TOO_MANY_REQUESTS = 429;

/** When the service may be called again; undefined if the answer isn't a 429. */
export function busyUntil({ exchange, endedAt }: EndedCall): Date | undefined {
  const isBusy = exchange.kind === 'answer' && exchange.status === TOO_MANY_REQUESTS;
  return isBusy ? retryMoment(exchange.headers, new Date(endedAt)) : undefined;
}

/**
 * Applies the result of a call to the budget.
 *
 * @returns the same object if nothing has changed
 */
export function learn(budget: Budget, ended: EndedCall): Budget {
  const { grantedAt, endedAt } = ended;
  const followed = follow(budget, ended);
  const until = busyUntil(ended);
  const waiting = until ? waitFor(followed, until) : followed;
  return endedAt - grantedAt > MARGIN_MS ? countLater(waiting, grantedAt, endedAt) : waiting;
}

/** Of a 429, only the limit is used here: Retry-After says more than its other headers. */
function follow(budget: Budget, ended: EndedCall): Budget {
  const { exchange, inFlight, endedAt: now } = ended;
  const said =
    exchange.kind === 'answer' ? readRateLimit(exchange.headers, new Date(now)) : undefined;
  if (!said) return budget;
  const { limit } = said;
  const limitOnly = limit === undefined ? {} : { limit };
  return followHeaders(budget, busyUntil(ended) ? limitOnly : said, { inFlight, now });
}

import type { Exchange } from '../http/exchange.ts';
import { readRateLimit, retryMoment } from '../http/rate-limit.ts';
import { type Budget, countLater, followHeaders, MARGIN_MS, waitFor } from './budget.ts';

/** A call that has ended. Moments in ms. */
export type EndedCall = {
  exchange: Exchange;
  grantedAt: number;
  endedAt: number;
  /** Other calls that were under way when it ended. */
  inFlight: number;
};

const TOO_MANY_REQUESTS = 429;

/** Until when the service says to wait; undefined where the answer is no 429. */
export function busyUntil({ exchange, endedAt }: EndedCall): Date | undefined {
  const isBusy = exchange.kind === 'answer' && exchange.status === TOO_MANY_REQUESTS;
  return isBusy ? retryMoment(exchange.headers, new Date(endedAt)) : undefined;
}

/**
 * What a budget is after what came of a call.
 *
 * @returns the same object where there is nothing new
 */
export function learn(budget: Budget, ended: EndedCall): Budget {
  const { grantedAt, endedAt } = ended;
  const followed = follow(budget, ended);
  const until = busyUntil(ended);
  const heeded = until ? waitFor(followed, until) : followed;
  return endedAt - grantedAt > MARGIN_MS ? countLater(heeded, grantedAt, endedAt) : heeded;
}

/** A 429 says itself how long to wait; of its other headers only the limit is news. */
function follow(budget: Budget, ended: EndedCall): Budget {
  const { exchange, inFlight, endedAt: now } = ended;
  const said =
    exchange.kind === 'answer' ? readRateLimit(exchange.headers, new Date(now)) : undefined;
  if (!said) return budget;
  const { limit } = said;
  const limitOnly = limit === undefined ? {} : { limit };
  return followHeaders(budget, busyUntil(ended) ? limitOnly : said, { inFlight, now });
}

import type { Answers } from './answers.ts';
import type { CallHead, Operation } from './api-call.ts';
import { type ApiKey, isForbidden } from './api-keys.ts';
import type { Fault } from './faults.ts';
import { errorReply, type Reply, rateLimitedReply } from './replies.ts';
import type { ServiceState } from './service-state.ts';

/** api.md 8: calls are counted per minute. */
export const RATE_WINDOW_MS = 60_000;

/** A key's state. `resetsAt` is in whole seconds since 1970, never earlier than the reset. */
export type RateState = { allowed: boolean; limit: number; remaining: number; resetsAt: number };

export function createRateLimiter(clock: () => Date, answers: Pick<Answers, 'window'>) {
  /** When each key's calls in its window were counted, oldest first. */
  const counted = new Map<string, number[]>();

  function timesAt(key: string, now: number): number[] {
    const times = counted.get(key) ?? [];
    counted.set(key, times);
    while (times[0] !== undefined && now - times[0] >= RATE_WINDOW_MS) {
      // A fixed window ends for all of its calls at once.
      times.splice(0, answers.window === 'fixed' ? times.length : 1);
    }
    return times;
  }

  function stateOf(times: number[], limit: number, now: number): RateState {
    return {
      allowed: times.length < limit,
      limit,
      remaining: Math.max(0, limit - times.length),
      resetsAt: Math.ceil(((times[0] ?? now) + RATE_WINDOW_MS) / 1000),
    };
  }

  return {
    /** Counts a call with this key now, unless it exceeds the limit: a refused call is not counted. */
    count(key: string, limit: number): RateState {
      const now = clock().getTime();
      const times = timesAt(key, now);
      const { allowed } = stateOf(times, limit, now);
      if (allowed) times.push(now);
      return { ...stateOf(times, limit, now), allowed };
    },
    peek(key: string, limit: number): RateState {
      const now = clock().getTime();
      return stateOf(timesAt(key, now), limit, now);
    },
  };
}

/** The three headers of api.md 8 in every authenticated answer. */
function rateHeaders(state: RateState): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(state.limit),
    'X-RateLimit-Remaining': String(state.remaining),
    'X-RateLimit-Reset': String(state.resetsAt),
  };
}

const retryAfterOf = ({ resetsAt }: RateState, now: Date): string =>
  String(Math.max(1, Math.ceil(resetsAt - now.getTime() / 1000)));

export type Admission = { rate?: RateState; headers: Record<string, string> } & (
  | { refusal: Reply }
  | { refusal?: undefined; account: string; operation: Operation; id: string }
);

/**
 * The checks before every operation, in this order: key (401), rate (429), path (404, 405, 400), permission (403).
 * Every call that passes the rate check is counted and gets the headers of api.md 8.
 */
export function admit(state: ServiceState, head: CallHead, fault: Fault | undefined): Admission {
  const key = head.key === undefined ? undefined : state.keys.find(head.key);
  if (head.key === undefined || !key || fault?.kind === 'unauthorized') {
    return refuse(errorReply(401, 'The API key is missing, wrong, revoked or expired.'));
  }
  if (fault?.kind === 'rate-limited') {
    const rate = { ...state.rates.peek(head.key, key.requestsPerMinute), remaining: 0 };
    return rateLimited(rate, fault.retryAfter === undefined ? undefined : `${fault.retryAfter}`);
  }
  const rate = state.rates.count(head.key, key.requestsPerMinute);
  if (!rate.allowed) {
    return rateLimited(rate, retryAfterOf(rate, state.clock()));
  }
  return { ...addressed(head, key), rate, headers: rateHeaders(rate) };
}

function refuse(refusal: Reply): Admission {
  return { refusal, headers: {} };
}

function rateLimited(rate: RateState, retryAfter: string | undefined): Admission {
  const headers = retryAfter === undefined ? undefined : { 'Retry-After': retryAfter };
  return { refusal: rateLimitedReply(headers ?? {}), rate, headers: rateHeaders(rate) };
}

function addressed(head: CallHead, key: ApiKey): Admission {
  const { route } = head;
  switch (route.kind) {
    case 'unknown-path':
      return refuse(errorReply(404, 'There is nothing at this address.'));
    case 'malformed-id':
      return refuse(errorReply(400, 'The id in the address is not well encoded.'));
    case 'wrong-method': {
      const refusal = errorReply(405, `This address takes ${route.allow}.`);
      return refuse({ ...refusal, headers: { Allow: route.allow } });
    }
    case 'operation': {
      const { operation, id = '' } = route;
      if (isForbidden(key, operation, route.id)) {
        return refuse(errorReply(403, 'This key may not do that.'));
      }
      return { account: key.account, operation, id, headers: {} };
    }
  }
}

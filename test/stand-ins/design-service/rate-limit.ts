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

type Usage = { windowStartedAt: number; usedInWindow: number; countedAt: number[] };

export function createRateLimiter(clock: () => Date, answers: Pick<Answers, 'window'>) {
  const usages = new Map<string, Usage>();

  function usageAt(key: string, now: number): Usage {
    const usage = usages.get(key) ?? { windowStartedAt: now, usedInWindow: 0, countedAt: [] };
    usages.set(key, usage);
    if (now >= usage.windowStartedAt + RATE_WINDOW_MS) {
      usage.windowStartedAt = now;
      usage.usedInWindow = 0;
    }
    const firstInside = usage.countedAt.findIndex((at) => at > now - RATE_WINDOW_MS);
    usage.countedAt.splice(0, firstInside === -1 ? usage.countedAt.length : firstInside);
    return usage;
  }

  function stateOf(usage: Usage, limit: number, now: number, allowed: boolean): RateState {
    const sliding = answers.window === 'sliding';
    const used = sliding ? usage.countedAt.length : usage.usedInWindow;
    const start = sliding ? (usage.countedAt[0] ?? now) : usage.windowStartedAt;
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - used),
      resetsAt: Math.ceil((start + RATE_WINDOW_MS) / 1000),
    };
  }

  return {
    /** Counts a call with this key now, unless it exceeds the limit: a refused call is not counted. */
    count(key: string, limit: number) {
      const now = clock().getTime();
      const usage = usageAt(key, now);
      if (stateOf(usage, limit, now, true).remaining === 0) {
        return stateOf(usage, limit, now, false);
      }
      usage.usedInWindow += 1;
      usage.countedAt.push(now);
      return stateOf(usage, limit, now, true);
    },
    peek(key: string, limit: number) {
      const now = clock().getTime();
      return stateOf(usageAt(key, now), limit, now, true);
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
      if (isForbidden(key, operation, operation === 'getCard' ? id : undefined)) {
        return refuse(errorReply(403, 'This key may not do that.'));
      }
      return { account: key.account, operation, id, headers: {} };
    }
  }
}

import type { CallHead } from './api-call.ts';
import { type ApiKey, isForbidden } from './api-keys.ts';
import type { Fault } from './faults.ts';
import type { Operation } from './operations.ts';
import { type RateState, rateHeaders, retryAfterOf } from './rate-limit.ts';
import { errorReply, type Reply, rateLimitedReply } from './replies.ts';
import type { ServiceState } from './service-state.ts';

/** Whether a call may be executed, with the rate limit headers of its answer. */
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

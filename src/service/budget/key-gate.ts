import type { Exchange } from '../http/exchange.ts';
import { breakerOpen, notAffordable } from '../http/not-made.ts';
import { createAdmission } from './admission.ts';
import { createAllocator } from './allocation.ts';
import { createBreaker } from './breaker.ts';
import { callsLeft, SENT_WITHIN_MS } from './budget.ts';
import type { CallClass, CallObserver } from './call-class.ts';
import { callEndOf } from './call-end.ts';
import type { Gate, GatedCall, MakeCall } from './gate.ts';
import { busyUntil, type EndedCall, learn } from './learn.ts';
import type { SharedBudget } from './shared-budget.ts';

/** The state of a key's gate, for the metrics. */
export type KeyGateState = {
  /** Calls that a person could make now. */
  left: number;
  /** How many calls of a class wait in memory. */
  waiting(callClass: CallClass): number;
  isBreakerOpen: boolean;
  /** Whether the key wasn't used in the last minute. */
  isIdle: boolean;
};

/** Passed by every call of one key. */
export type KeyGate = {
  /**
   * Makes a call within the key's budget.
   *
   * @throws DesignApiError `rate_limited` or `unavailable` with `retryAt` if it was not made
   */
  pass: Gate;
  /**
   * Checks that a person's call could be made now, without taking a grant.
   *
   * @throws DesignApiError `rate_limited` with `retryAt` if it could not
   */
  check(call: GatedCall): Promise<void>;
  state(): KeyGateState;
};

const MS_PER_SECOND = 1_000;

export function createKeyGate(deps: {
  budget: SharedBudget;
  now: () => Date;
  observer: CallObserver;
}): KeyGate {
  const { budget, observer } = deps;
  const now = () => deps.now().getTime();
  const breaker = createBreaker(observer);
  const allocator = createAllocator({ now: deps.now, budget: budget.known });
  const admission = createAdmission({ budget, allocator, now, observer });

  function throwIfBreakerOpen(callClass: CallClass, call: GatedCall): void {
    const until = breaker.holdsUntil(callClass, now());
    if (until === undefined) return;
    observer.call(callClass, 'shed');
    throw breakerOpen(call.operation, allocator.comeBackAt({ callClass, call }, until));
  }

  /** Makes a granted call, and applies its result to the budget before returning it. */
  async function makeGranted(
    asked: { callClass: CallClass; call: GatedCall },
    grantedAt: number,
    make: MakeCall,
  ): Promise<Exchange> {
    try {
      const begunAt = performance.now();
      const exchange = await make(() => now() - grantedAt <= SENT_WITHIN_MS);
      const ms = performance.now() - begunAt;
      observer.call(asked.callClass, 'called');
      observer.took(asked.call, callEndOf(exchange), ms / MS_PER_SECOND);
      allocator.took(ms);
      breaker.record(exchange, now());
      const inFlight = admission.running() - 1;
      await learnFrom(asked.callClass, { exchange, grantedAt, endedAt: now(), inFlight });
      return exchange;
    } finally {
      admission.leave(asked);
    }
  }

  async function learnFrom(callClass: CallClass, ended: EndedCall): Promise<void> {
    const until = busyUntil(ended)?.getTime();
    if (until !== undefined) {
      observer.call(callClass, 'refused');
      // Effective immediately, before it is stored.
      admission.hold(until);
    }
    if (learn(budget.known(), ended) === budget.known()) return;
    await budget
      .decide((known) => ({ budget: learn(known, ended), result: undefined }))
      .catch(observer.budgetFailed);
    // From here on, the budget knows about the 429.
    if (until !== undefined) admission.release(until);
  }

  return {
    async pass(call, make) {
      const { callClass = 'person' } = call;
      // An aborted call needs no grant, because `make` sends nothing.
      if (call.signal?.aborted) return make();
      throwIfBreakerOpen(callClass, call);
      const isTrial = callClass !== 'person' && breaker.isOpen();
      if (isTrial) breaker.beginTrial();
      try {
        const grantedAt = await admission.enter(callClass, call);
        return await makeGranted({ callClass, call }, grantedAt, make);
      } finally {
        if (isTrial) breaker.endTrial();
      }
    },

    async check(call) {
      const asking = { callClass: 'person', call } as const;
      const at = await budget.decide((known, moment) => {
        const [allocation] = allocator.decide([asking], known, moment).result;
        const at = allocation && 'at' in allocation ? allocation.at : undefined;
        return { budget: known, result: at };
      });
      if (at === undefined) return;
      observer.call('person', 'delayed');
      throw notAffordable(call.operation, allocator.comeBackAt(asking, at));
    },

    state() {
      const known = budget.known();
      const left = callsLeft(known, now());
      const isBreakerOpen = breaker.isOpen();
      // Calls wait only while others are running or the budget is used up, so these needn't be counted.
      const isIdle = admission.running() === 0 && !isBreakerOpen && left >= known.limit;
      return { left, isBreakerOpen, isIdle, waiting: admission.waiting };
    },
  };
}

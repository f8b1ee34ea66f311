import type { Exchange } from '../http/exchange.ts';
import { notAffordable, spared } from '../http/not-made.ts';
import { createAdmission } from './admission.ts';
import { createAllocator } from './allocation.ts';
import { createBreaker } from './breaker.ts';
import { callsLeft, SENT_WITHIN_MS } from './budget.ts';
import type { CallClass } from './call-class.ts';
import type { CallObserver } from './call-observer.ts';
import type { GatedCall, MakeCall } from './gate.ts';
import { busyUntil, type EndedCall, learn } from './learn.ts';
import type { SharedBudget } from './shared-budget.ts';

/** What can be seen of one key's gate. */
export type KeyGateState = {
  /** Calls that a person could make now. */
  left: number;
  /** How many calls of a class wait in memory. */
  waiting(callClass: CallClass): number;
  isBreakerOpen: boolean;
  /** Whether nothing was done with the key in the last minute. */
  isIdle: boolean;
};

/** Stands before every call with one key. */
export type KeyGate = {
  /**
   * Makes a call within the key's budget.
   *
   * @throws DesignApiError `rate_limited` or `unavailable` with `retryAt`, where it was not made
   */
  pass(callClass: CallClass, call: GatedCall, make: MakeCall): Promise<Exchange>;
  /**
   * Makes sure that a person's call could be made now, without taking one.
   *
   * @throws DesignApiError `rate_limited` with `retryAt`, where it could not
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
  const breaker = createBreaker();
  const turns = createAllocator({ now: deps.now, budget: budget.known });
  const admission = createAdmission({ budget, turns, now, observer });

  function throwIfSpared(callClass: CallClass, call: GatedCall): void {
    const until = breaker.holdsUntil(callClass, now());
    if (until === undefined) return;
    observer.call(callClass, 'shed');
    throw spared(call.operation, turns.comeBackAt({ callClass, call }, until));
  }

  /** Makes a call that has its grant, and notes what came of it before its caller hears of that. */
  async function makeGranted(
    asked: { callClass: CallClass; call: GatedCall },
    grantedAt: number,
    make: MakeCall,
  ): Promise<Exchange> {
    try {
      const begunAt = performance.now();
      const exchange = await make(() => now() - grantedAt <= SENT_WITHIN_MS);
      const ms = performance.now() - begunAt;
      const outcome = exchange.kind === 'fault' ? exchange.fault : 'answered';
      observer.call(asked.callClass, 'called');
      observer.took(asked.call.operation, outcome, ms / MS_PER_SECOND);
      turns.took(ms);
      breaker.note(exchange, now());
      const inFlight = admission.underWay() - 1;
      await heed(asked.callClass, { exchange, grantedAt, endedAt: now(), inFlight });
      return exchange;
    } finally {
      admission.leave(asked);
    }
  }

  async function heed(callClass: CallClass, ended: EndedCall): Promise<void> {
    const until = busyUntil(ended)?.getTime();
    if (until !== undefined) {
      observer.call(callClass, 'refused');
      // At once, and not only when it is on disk.
      admission.hold(until);
    }
    if (learn(budget.known(), ended) === budget.known()) return;
    await budget
      .decide((known) => ({ budget: learn(known, ended), result: undefined }))
      .catch(observer.budgetTrouble);
    // What was being granted has been held back by now, and what is granted from here on knows it.
    if (until !== undefined) admission.release(until);
  }

  return {
    async pass(callClass, call, make) {
      // What nobody waits for any more makes no call.
      if (call.signal?.aborted) return make();
      throwIfSpared(callClass, call);
      const isTry = callClass !== 'person' && breaker.isOpen();
      if (isTry) breaker.beginTry();
      try {
        const grantedAt = await admission.enter(callClass, call);
        return await makeGranted({ callClass, call }, grantedAt, make);
      } finally {
        if (isTry) breaker.endTry();
      }
    },

    async check(call) {
      const asking = { callClass: 'person', call } as const;
      const at = await budget.decide((known, moment) => {
        const [turn] = turns.decide([asking], known, moment).result;
        return { budget: known, result: turn && 'at' in turn ? turn.at : undefined };
      });
      if (at === undefined) return;
      observer.call('person', 'delayed');
      throw notAffordable(call.operation, turns.comeBackAt(asking, at));
    },

    state() {
      const known = budget.known();
      const left = callsLeft(known, now());
      const isBreakerOpen = breaker.isOpen();
      // Whoever waits in memory does so since calls are under way or used up.
      const isIdle = admission.underWay() === 0 && !isBreakerOpen && left >= known.limit;
      return { left, isBreakerOpen, isIdle, waiting: admission.waiting };
    },
  };
}

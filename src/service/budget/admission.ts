import { notAffordable } from '../http/not-made.ts';
import type { Allocator } from './allocation.ts';
import { GRANT_LASTS_MS } from './budget.ts';
import {
  type Asking,
  CALL_KINDS,
  type CallClass,
  type CallKind,
  type CallObserver,
  kindOf,
  MAX_AT_ONCE,
  OWN_SLOTS,
} from './call-class.ts';
import { createCallQueue, type WaitingCall } from './call-queue.ts';
import type { GatedCall } from './gate.ts';
import type { SharedBudget } from './shared-budget.ts';

/** Starts the calls of one key: within its budget, a limited number at once, the most urgent first. */
export type Admission = {
  /**
   * Waits for a slot and a grant, as long as the call's class may. Call `leave` when the call has ended.
   *
   * @returns the time of the grant, in ms, after it was stored
   * @throws DesignApiError `rate_limited` with `retryAt`
   */
  enter(callClass: CallClass, call: GatedCall): Promise<number>;
  leave(ended: Asking): void;
  /** Starts no call before that time (ms), not even one that is just being granted. */
  hold(until: number): void;
  /** Ends `hold`, once the stored budget has the same effect. */
  release(until: number): void;
  /** How many calls are running or being granted. */
  running(): number;
  /** How many calls of a class wait in memory. */
  waiting(callClass: CallClass): number;
};

/**
 * How long a call waits in memory, in ms. A person waits for budget, too. A link waits only for a slot: it can
 * wait on disk, and here would occupy a job slot that another key could use. All others fail immediately.
 */
const WAITS_MS: Record<CallClass, number> = {
  person: 5_000,
  posted: 1_000,
  background: 0,
  watch: 0,
};
/** How many may wait in memory; more are refused. */
const MAX_WAITING: Record<CallClass, number> = {
  person: 100,
  posted: 20,
  background: 0,
  watch: 0,
};
/** How often waiting calls are reconsidered, in ms. Polling, because the clock may be changed. */
const POLL_MS = 100;
/** When to retry if the budget couldn't be stored, in ms. */
const RETRY_AFTER_ERROR_MS = 5_000;

export function createAdmission(deps: {
  budget: SharedBudget;
  allocator: Allocator;
  now: () => number;
  observer: CallObserver;
}): Admission {
  const { budget, allocator, now, observer } = deps;
  const queue = createCallQueue();
  const slots = new Map<CallKind, number>(CALL_KINDS.map((kind) => [kind, 0]));
  let admitting = false;
  let admitAgain = false;
  let timer: NodeJS.Timeout | undefined;
  let heldUntil = 0;

  const countOf = (kind: CallKind) => slots.get(kind) ?? 0;
  const running = () => CALL_KINDS.reduce((sum, kind) => sum + countOf(kind), 0);
  const takeSlot = (one: Asking) => slots.set(kindOf(one), countOf(kindOf(one)) + 1);
  const freeSlot = (one: Asking) => slots.set(kindOf(one), countOf(kindOf(one)) - 1);

  /** @param ahead calls that get a slot first */
  function hasRoom(kind: CallKind, ahead: readonly WaitingCall[]): boolean {
    if (running() + ahead.length < MAX_AT_ONCE[kind]) return true;
    const alike = ahead.filter((one) => kindOf(one) === kind);
    return countOf(kind) + alike.length < OWN_SLOTS[kind];
  }

  function enter(callClass: CallClass, call: GatedCall): Promise<number> {
    return new Promise((resolve, reject) => {
      let timeout: NodeJS.Timeout | undefined;
      const giveUp = () => refuse(one, Math.max(one.expectedAt, now()));
      const finish = () => {
        one.isOver = true;
        queue.remove(one);
        clearTimeout(timeout);
        call.signal?.removeEventListener('abort', giveUp);
      };
      const one: WaitingCall = {
        callClass,
        call,
        expectedAt: 0,
        isOver: false,
        wait() {
          if (timeout) return;
          observer.call(callClass, 'delayed');
          timeout = setTimeout(giveUp, WAITS_MS[callClass]);
        },
        begin(grantedAt) {
          finish();
          resolve(grantedAt);
        },
        refuse(error) {
          finish();
          reject(error);
        },
      };
      call.signal?.addEventListener('abort', giveUp, { once: true });
      // Calls that are still being decided will need slots, too.
      const kind = kindOf(one);
      const isNext = hasRoom(kind, queue.ahead(kind));
      if (isNext || mayWait(one)) {
        if (!isNext) one.wait();
        queue.add(one);
        void admit();
      } else {
        giveUp();
      }
    });
  }

  const mayWait = (one: WaitingCall) =>
    kindOf(one) !== 'submission' && queue.waiting(one.callClass) < MAX_WAITING[one.callClass];

  function refuse(one: WaitingCall, at: number): void {
    if (one.isOver) return;
    observer.call(one.callClass, 'shed');
    one.refuse(notAffordable(one.call.operation, allocator.comeBackAt(one, at)));
  }

  /** Starts the calls that may start now. Calls that arrive during a decision are decided on next. */
  async function admit(): Promise<void> {
    admitAgain = true;
    if (admitting) return;
    admitting = true;
    clearTimeout(timer);
    while (admitAgain) {
      admitAgain = false;
      const chosen = queue.take(hasRoom);
      if (chosen.length === 0) break;
      for (const one of chosen) takeSlot(one);
      await admitChosen(chosen);
    }
    admitting = false;
    if (!queue.isEmpty()) timer = setTimeout(admit, POLL_MS);
  }

  async function admitChosen(chosen: readonly WaitingCall[]): Promise<void> {
    try {
      const allocations = await budget.decide((known, moment) =>
        allocator.decide(chosen, known, moment),
      );
      for (const [index, one] of chosen.entries()) {
        const allocation = allocations[index];
        if (allocation && 'grantedAt' in allocation) begin(one, allocation.grantedAt);
        else holdBack(one, allocation?.at ?? now());
      }
    } catch (error) {
      observer.budgetFailed(error);
      for (const one of chosen) giveUpOn(one);
    }
  }

  function begin(one: WaitingCall, grantedAt: number): void {
    const moment = now();
    if (one.isOver) {
      freeSlot(one);
    } else if (moment < heldUntil) {
      holdBack(one, heldUntil);
    } else if (moment - grantedAt > GRANT_LASTS_MS) {
      freeSlot(one);
      queue.add(one);
      admitAgain = true;
    } else {
      allocator.began(one, moment);
      one.begin(grantedAt);
    }
  }

  function holdBack(one: WaitingCall, at: number): void {
    freeSlot(one);
    if (one.isOver) return;
    const isSoon = one.callClass === 'person' && at - now() <= WAITS_MS.person;
    if (isSoon && mayWait(one)) {
      one.expectedAt = at;
      one.wait();
      queue.add(one);
    } else {
      refuse(one, at);
    }
  }

  function giveUpOn(one: WaitingCall): void {
    freeSlot(one);
    refuse(one, now() + RETRY_AFTER_ERROR_MS);
  }

  return {
    enter,
    leave(ended) {
      freeSlot(ended);
      void admit();
    },
    hold(until) {
      heldUntil = Math.max(heldUntil, until);
    },
    release(until) {
      if (heldUntil <= until) heldUntil = 0;
    },
    running,
    waiting: queue.waiting,
  };
}

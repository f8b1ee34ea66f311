import { notAffordable } from '../http/not-made.ts';
import type { Allocator } from './allocation.ts';
import { GRANT_LASTS_MS } from './budget.ts';
import {
  type Asking,
  CALL_KINDS,
  type CallClass,
  type CallKind,
  kindOf,
  MOST_AT_ONCE,
  OWN_SLOTS,
} from './call-class.ts';
import type { CallObserver } from './call-observer.ts';
import { createCallQueue, type WaitingCall } from './call-queue.ts';
import type { GatedCall } from './gate.ts';
import type { SharedBudget } from './shared-budget.ts';

/** Lets the calls of one key begin: within its budget, few at once, the most pressing first. */
export type Admission = {
  /**
   * Waits for the call's turn, as far as its class may. Whoever got it has to leave.
   *
   * @returns the moment of the grant, in ms; it is on disk
   * @throws DesignApiError `rate_limited` with `retryAt`
   */
  enter(callClass: CallClass, call: GatedCall): Promise<number>;
  /** The call has ended. */
  leave(ended: Asking): void;
  /** Lets nothing begin before that moment (ms), not even what is being granted just now. */
  hold(until: number): void;
  /** The budget itself knows of that moment now. */
  release(until: number): void;
  /** How many calls are under way or are being granted. */
  underWay(): number;
  /** How many of a class wait in memory. */
  waiting(callClass: CallClass): number;
};

/**
 * How long a call waits here, in ms. People wait for budget, too; a link only for its place, since it can
 * wait on disk and would take the place of another key's work here. The rest is given up at once.
 */
const WAITS_MS: Record<CallClass, number> = {
  person: 5_000,
  posted: 1_000,
  background: 0,
  watch: 0,
};
/** How many may wait here at once; more are refused. */
const MOST_WAITING: Record<CallClass, number> = {
  person: 100,
  posted: 20,
  background: 0,
  watch: 0,
};
/** While somebody waits, the clock is looked at this often, in ms: it may have been set. */
const LOOK_AGAIN_MS = 100;
/** When to come back where the budget could not be kept, in ms. */
const AFTER_TROUBLE_MS = 5_000;

export function createAdmission(deps: {
  budget: SharedBudget;
  turns: Allocator;
  now: () => number;
  observer: CallObserver;
}): Admission {
  const { budget, turns, now, observer } = deps;
  const queue = createCallQueue();
  const underWay = new Map<CallKind, number>(CALL_KINDS.map((kind) => [kind, 0]));
  let admitting = false;
  let admitAgain = false;
  let timer: NodeJS.Timeout | undefined;
  let heldUntil = 0;

  const countOf = (kind: CallKind) => underWay.get(kind) ?? 0;
  const allUnderWay = () => CALL_KINDS.reduce((sum, kind) => sum + countOf(kind), 0);
  const takeSlot = (one: Asking) => underWay.set(kindOf(one), countOf(kindOf(one)) + 1);
  const freeSlot = (one: Asking) => underWay.set(kindOf(one), countOf(kindOf(one)) - 1);

  /** @param ahead calls that take their slots first */
  function hasRoom(kind: CallKind, ahead: readonly WaitingCall[]): boolean {
    if (allUnderWay() + ahead.length < MOST_AT_ONCE[kind]) return true;
    const alike = ahead.filter((one) => kindOf(one) === kind);
    return countOf(kind) + alike.length < OWN_SLOTS[kind];
  }

  function enter(callClass: CallClass, call: GatedCall): Promise<number> {
    return new Promise((resolve, reject) => {
      let patience: NodeJS.Timeout | undefined;
      const giveUp = () => refuse(one, Math.max(one.expectedAt, now()));
      const settle = () => {
        one.isOver = true;
        queue.remove(one);
        clearTimeout(patience);
        call.signal?.removeEventListener('abort', giveUp);
      };
      const one: WaitingCall = {
        ...{ callClass, call, expectedAt: 0, isOver: false },
        wait() {
          if (patience) return;
          observer.call(callClass, 'delayed');
          patience = setTimeout(giveUp, WAITS_MS[callClass]);
        },
        begin(grantedAt) {
          settle();
          resolve(grantedAt);
        },
        refuse(error) {
          settle();
          reject(error);
        },
      };
      call.signal?.addEventListener('abort', giveUp, { once: true });
      // Those that are still being decided take their slots, too.
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
    kindOf(one) !== 'submission' && queue.waiting(one.callClass) < MOST_WAITING[one.callClass];

  function refuse(one: WaitingCall, at: number): void {
    if (one.isOver) return;
    observer.call(one.callClass, 'shed');
    one.refuse(notAffordable(one.call.operation, turns.comeBackAt(one, at)));
  }

  /** Lets those go whose turn has come. One at a time decides; what comes meanwhile is decided next. */
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
    if (!queue.isEmpty()) timer = setTimeout(admit, LOOK_AGAIN_MS);
  }

  async function admitChosen(chosen: readonly WaitingCall[]): Promise<void> {
    try {
      const given = await budget.decide((known, moment) => turns.decide(chosen, known, moment));
      for (const [index, one] of chosen.entries()) {
        const turn = given[index];
        if (turn && 'grantedAt' in turn) begin(one, turn.grantedAt);
        else holdBack(one, turn?.at ?? now());
      }
    } catch (error) {
      observer.budgetTrouble(error);
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
      turns.began(one, moment);
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
    refuse(one, now() + AFTER_TROUBLE_MS);
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
    underWay: allUnderWay,
    waiting: queue.waiting,
  };
}

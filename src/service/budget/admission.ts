import { GRANT_LASTS_MS } from './budget.ts';
import { type CallClass, MOST_AT_ONCE } from './call-class.ts';
import type { CallObserver } from './call-observer.ts';
import { createCallQueue, type WaitingCall } from './call-queue.ts';
import type { GatedCall } from './gate.ts';
import type { SharedBudget } from './kept-budget.ts';
import { notAffordable } from './not-made.ts';
import { comesBackByItself, type Turns } from './turns.ts';

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
  leave(): void;
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
  turns: Turns;
  now: () => number;
  observer: CallObserver;
}): Admission {
  const { budget, turns, now, observer } = deps;
  const queue = createCallQueue();
  let underWay = 0;
  let admitting = false;
  let admitAgain = false;
  let timer: NodeJS.Timeout | undefined;
  let heldUntil = 0;

  const hasRoom = (callClass: CallClass, more = 0) => underWay + more < MOST_AT_ONCE[callClass];

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
      // Those that are still being decided take their places, too.
      const isNext = hasRoom(callClass, queue.ahead(callClass));
      if (isNext || mayWait(one)) {
        if (!isNext) one.wait();
        queue.add(one);
        void admit();
      } else {
        giveUp();
      }
    });
  }

  const mayWait = ({ callClass, call }: WaitingCall) =>
    !comesBackByItself(call) && queue.waiting(callClass) < MOST_WAITING[callClass];

  function refuse(one: WaitingCall, at: number): void {
    if (one.isOver) return;
    turns.served(one, now());
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
      underWay += chosen.length;
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
      underWay -= 1;
    } else if (moment < heldUntil) {
      holdBack(one, heldUntil);
    } else if (moment - grantedAt > GRANT_LASTS_MS) {
      underWay -= 1;
      queue.add(one);
      admitAgain = true;
    } else {
      turns.served(one, moment);
      one.begin(grantedAt);
    }
  }

  function holdBack(one: WaitingCall, at: number): void {
    underWay -= 1;
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
    underWay -= 1;
    refuse(one, now() + AFTER_TROUBLE_MS);
  }

  return {
    enter,
    leave() {
      underWay -= 1;
      void admit();
    },
    hold(until) {
      heldUntil = Math.max(heldUntil, until);
    },
    release(until) {
      if (heldUntil <= until) heldUntil = 0;
    },
    underWay: () => underWay,
    waiting: queue.waiting,
  };
}

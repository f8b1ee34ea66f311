import { createBreaker } from './breaker.ts';
import {
  type Budget,
  callsLeft,
  countLater,
  followHeaders,
  GRANT_LASTS_MS,
  MARGIN_MS,
  takeCall,
  waitFor,
} from './budget.ts';
import { type CallClass, type CallOutcome, MOST_AT_ONCE } from './call-class.ts';
import { createCallQueue, type WaitingCall } from './call-queue.ts';
import type { GatedCall } from './gate.ts';
import type { Exchange } from './http-exchange.ts';
import type { SharedBudget } from './kept-budget.ts';
import { notAffordable, spared } from './not-made.ts';
import { readRateLimit, retryMoment } from './rate-limit.ts';
import { comesBackByItself, createTurns } from './turns.ts';

/** Who wants to know what becomes of calls. */
export type CallObserver = {
  call(callClass: CallClass, outcome: CallOutcome): void;
  /** How long a call took. @param outcome `answered`, or the fault that ended it */
  took(operation: string, outcome: string, seconds: number): void;
  /** The budget could not be read or written. */
  budgetTrouble(error: unknown): void;
};

/** What can be seen of one key's gate. */
export type KeyGateState = {
  /** Calls that a person could make now. */
  left: number;
  /** How many calls of a class wait in memory. */
  waiting(callClass: CallClass): number;
  isUnwell: boolean;
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
  pass(callClass: CallClass, call: GatedCall, make: () => Promise<Exchange>): Promise<Exchange>;
  /**
   * Makes sure that a person's call could be made now, without taking one.
   *
   * @throws DesignApiError `rate_limited` with `retryAt`, where it could not
   */
  check(call: GatedCall): Promise<void>;
  state(): KeyGateState;
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

export function createKeyGate(deps: {
  budget: SharedBudget;
  now: () => Date;
  observer: CallObserver;
}): KeyGate {
  const { budget, observer } = deps;
  const now = () => deps.now().getTime();
  const queue = createCallQueue();
  const breaker = createBreaker();
  const turns = createTurns({ now: deps.now, budget: budget.known });
  let underWay = 0;
  let admitting = false;
  let admitAgain = false;
  let timer: NodeJS.Timeout | undefined;
  /** From a 429, at once and not only when it is on disk: what is being granted meanwhile stays here. */
  let heldUntil = 0;

  const hasRoom = (callClass: CallClass, more = 0) => underWay + more < MOST_AT_ONCE[callClass];

  function throwIfSpared(callClass: CallClass, call: GatedCall): void {
    const until = breaker.holdsUntil(callClass, now());
    if (until === undefined) {
      if (callClass !== 'person') breaker.tries(now());
      return;
    }
    observer.call(callClass, 'shed');
    throw spared(call.operation, turns.comeBackAt({ callClass, call }, until));
  }

  /** @returns the moment of the grant */
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

  /** Notes what came of a call before its caller hears of it. */
  async function heed(
    exchange: Exchange,
    made: { callClass: CallClass; call: GatedCall; grantedAt: number; ms: number },
  ): Promise<void> {
    const { callClass, call, grantedAt, ms } = made;
    const endedAt = now();
    observer.call(callClass, 'called');
    const outcome = exchange.kind === 'fault' ? exchange.fault : 'answered';
    observer.took(call.operation, outcome, ms / MS_PER_SECOND);
    turns.took(ms);
    breaker.note(exchange, endedAt);
    const busyUntil = busyUntilOf(exchange, deps.now());
    if (busyUntil) {
      observer.call(callClass, 'refused');
      heldUntil = Math.max(heldUntil, busyUntil.getTime());
    }
    const learn = (known: Budget) => {
      const followed = follow(known, exchange, { inFlight: underWay - 1, now: endedAt });
      const heeded = busyUntil ? waitFor(followed, busyUntil) : followed;
      const isLate = endedAt - grantedAt > MARGIN_MS;
      return isLate ? countLater(heeded, grantedAt, endedAt) : heeded;
    };
    if (learn(budget.known()) === budget.known()) return;
    await budget
      .decide((known) => ({ budget: learn(known), result: undefined }))
      .catch(observer.budgetTrouble);
    // Whatever was being granted has been held back by now, and what is granted from here on knows it.
    if (busyUntil) heldUntil = 0;
  }

  return {
    async pass(callClass, call, make) {
      // What nobody waits for any more makes no call.
      if (call.signal?.aborted) return make();
      throwIfSpared(callClass, call);
      let isNoted = false;
      try {
        const grantedAt = await enter(callClass, call);
        const begunAt = performance.now();
        try {
          const exchange = await make();
          const ms = performance.now() - begunAt;
          isNoted = true;
          await heed(exchange, { callClass, call, grantedAt, ms });
          return exchange;
        } finally {
          underWay -= 1;
          void admit();
        }
      } finally {
        if (!isNoted) breaker.note(undefined, now());
      }
    },

    async check(call) {
      const at = await budget.decide((known, moment) => {
        const taken = takeCall(known, 0, moment);
        return { budget: known, result: 'at' in taken ? taken.at : undefined };
      });
      if (at === undefined) return;
      const asking = { callClass: 'person', call } as const;
      turns.served(asking, now());
      observer.call('person', 'delayed');
      throw notAffordable(call.operation, turns.comeBackAt(asking, at));
    },

    state() {
      const known = budget.known();
      const left = callsLeft(known, now());
      const isUnwell = breaker.isOpen();
      const isIdle = underWay === 0 && queue.isEmpty() && !isUnwell && left >= known.limit;
      return { left, isUnwell, isIdle, waiting: queue.waiting };
    },
  };
}

const MS_PER_SECOND = 1_000;
const TOO_MANY_REQUESTS = 429;

function busyUntilOf(exchange: Exchange, now: Date): Date | undefined {
  const isBusy = exchange.kind === 'answer' && exchange.status === TOO_MANY_REQUESTS;
  return isBusy ? retryMoment(exchange.headers, now) : undefined;
}

/** A 429 says itself how long to wait; of its other headers only the limit is news. */
function follow(
  known: Budget,
  exchange: Exchange,
  seen: { inFlight: number; now: number },
): Budget {
  if (exchange.kind === 'fault') return known;
  const said = readRateLimit(exchange.headers, new Date(seen.now));
  if (!said) return known;
  const { limit } = said;
  const isBusy = exchange.status === TOO_MANY_REQUESTS;
  const news = isBusy ? (limit === undefined ? {} : { limit }) : said;
  return followHeaders(known, news, seen);
}

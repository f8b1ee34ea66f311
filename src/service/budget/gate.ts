import { LRUCache } from 'lru-cache';
import { atMost, watchForSetBack } from '../../clock.ts';
import { notMade, type ReasonNotMade } from '../errors.ts';
import { readRateLimit, retryMoment } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { callsLeft, learn, refillMs, takeCall, WINDOW_MS } from './budget.ts';
import {
  Breaker,
  type CallClass,
  type CallKind,
  type CallObserver,
  type GatedCall,
  kindOf,
  POLICIES,
} from './call-class.ts';
import { type BudgetStore, ReturnTimes, SharedBudget } from './shared-budget.ts';

/** @param maySend asked right before the first byte is written; if it returns false, nothing is sent */
type MakeCall = (maySend?: () => boolean) => Promise<Exchange>;

/** Makes a call when it is allowed, or throws. */
export type Gate = (call: GatedCall, make: MakeCall) => Promise<Exchange>;

type Options = { store: BudgetStore; now: () => Date; observer: CallObserver };

/**
 * A call that leaves later than this after its grant, in ms, isn't sent, because its grant might stop counting before it
 * arrives. Storing the grant and connecting take at most 22 s, so this happens only to a process that was paused.
 */
const SENT_WITHIN_MS = WINDOW_MS / 2;
/** How often waiting calls try again, in ms. Polling, because the clock may be changed. */
const POLL_MS = 100;
/** The shortest time before a retry, in ms: a call that found no slot wouldn't find one sooner. */
const SHORTEST_PAUSE_MS = 250;
/** When to retry if the budget couldn't be read or stored, in ms. */
const RETRY_AFTER_ERROR_MS = 5_000;
const TOO_MANY_REQUESTS = 429;

const NO_CALLS = { submission: 0, person: 0, posted: 0, background: 0, watch: 0 };

/** Every call with one key passes here: within its budget, a limited number at once, the most urgent first. */
export class KeyGate {
  readonly #budget: SharedBudget;
  readonly #observer: CallObserver;
  readonly #now: () => number;
  readonly #running = { ...NO_CALLS };
  readonly #waiting = { ...NO_CALLS };
  readonly #breaker: Breaker;
  readonly #returnTimes = new ReturnTimes();
  /** From a 429, effective before it is stored. */
  #busyUntil = 0;
  /** Resolves when waiting calls should try again. */
  #chance: PromiseWithResolvers<void> | undefined;

  constructor(fingerprint: string, { store, now, observer }: Options) {
    this.#budget = new SharedBudget(store, fingerprint, now);
    this.#breaker = new Breaker(observer);
    this.#observer = observer;
    this.#now = () => now().getTime();
  }

  /** @throws DesignApiError `rate_limited` or `unavailable` with `retryAt` if the call was not made */
  readonly pass: Gate = async (call, make) => {
    // An aborted call needs no grant, because `make` sends nothing.
    if (call.signal?.aborted) return make();
    const openUntil = call.callClass === 'person' ? 0 : this.#breaker.openUntil(this.#now());
    if (openUntil > 0) throw this.#shed(call, openUntil, 'breaker_open');
    const grantedAt = await this.#enter(call);
    try {
      const begunAt = performance.now();
      const exchange = await make(() => this.#now() - grantedAt <= SENT_WITHIN_MS);
      const seconds = (performance.now() - begunAt) / 1_000;
      this.#observer.call(call.callClass, 'called');
      this.#observer.took(call, exchange, seconds);
      this.#breaker.record(exchange, this.#now());
      await this.#learnFrom(call, exchange, grantedAt);
      return exchange;
    } finally {
      this.#running[kindOf(call)] -= 1;
      this.#wake();
    }
  };

  /** @throws DesignApiError `rate_limited` with `retryAt` if a card could not be created now; takes no grant */
  async checkSubmission(operation: string): Promise<void> {
    const kind = 'submission';
    await this.#budget.read();
    const taken = this.#asked(kind);
    if ('grantedAt' in taken) return;
    this.#observer.call('person', 'delayed');
    this.#returnTimes.takeDue(kind, this.#now());
    throw this.#refusal(kind, operation, taken.at);
  }

  /** For the metrics: calls that a person could make now, and whether the key wasn't used in the last minute. */
  state() {
    const budget = this.#budget.known();
    const left = callsLeft(budget, this.#now());
    const isBreakerOpen = this.#breaker.isOpen;
    // Calls wait only while others are running or the budget is used up, so these needn't be counted.
    const isIdle = this.#runningAtOnce() === 0 && !isBreakerOpen && left >= budget.limit;
    return { left, isBreakerOpen, isIdle, waiting: (kind: CallClass) => this.#waiting[kind] };
  }

  /** Waits for a slot and a grant, as long as the call may, and returns the time of the grant, after it was stored. */
  async #enter(call: GatedCall): Promise<number> {
    const kind = kindOf(call);
    const isDue = this.#returnTimes.takeDue(kind, this.#now());
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
    }, POLICIES[kind].waitsMs);
    try {
      for (let isFirst = true; ; isFirst = false) {
        const entry = await this.#tryToEnter(kind, isDue);
        if ('grantedAt' in entry) return entry.grantedAt;
        if (isLate || !this.#mayWait(call, entry.at)) throw this.#shed(call, entry.at);
        if (isFirst) this.#observer.call(call.callClass, 'delayed');
        this.#waiting[kind] += 1;
        await this.#nextChance();
        this.#waiting[kind] -= 1;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** @returns a grant, or when there may be one; in ms */
  async #tryToEnter(kind: CallKind, isDue: boolean) {
    const { atOnce, ownSlots } = POLICIES[kind];
    const hasRoom = this.#runningAtOnce() < atOnce || this.#running[kind] < ownSlots;
    if (!hasRoom) return { at: this.#now() };
    this.#running[kind] += 1;
    const taken = await this.#budget
      .change((budget, now) =>
        takeCall(budget, { kind, isDue, expected: this.#returnTimes.expected(now) }, now),
      )
      .catch((error: unknown) => {
        this.#observer.budgetFailed(error);
        return { at: this.#now() + RETRY_AFTER_ERROR_MS };
      });
    const now = this.#now();
    if ('grantedAt' in taken && now >= this.#busyUntil) return taken;
    this.#running[kind] -= 1;
    return { at: Math.max('at' in taken ? taken.at : now, this.#busyUntil) };
  }

  #mayWait(call: GatedCall, at: number): boolean {
    const kind = kindOf(call);
    const { waitsMs, mostWaiting } = POLICIES[kind];
    if (this.#waiting[kind] >= mostWaiting || call.signal?.aborted) return false;
    const wait = at - this.#now();
    return kind === 'person' ? wait < waitsMs : wait <= 0;
  }

  /** Resolves when a call has ended, or after a moment, in which the budget may have grown. */
  #nextChance(): Promise<void> {
    if (!this.#chance) setTimeout(this.#wake, POLL_MS);
    this.#chance ??= Promise.withResolvers();
    return this.#chance.promise;
  }

  readonly #wake = (): void => {
    this.#chance?.resolve();
    this.#chance = undefined;
  };

  #runningAtOnce(): number {
    const { submission, person, posted, background, watch } = this.#running;
    return submission + person + posted + background + watch;
  }

  #shed(call: GatedCall, at: number, why?: ReasonNotMade) {
    this.#observer.call(call.callClass, 'shed');
    return this.#refusal(kindOf(call), call.operation, at, why);
  }

  /** Says when the call should ask again: not before `at`, and jobs at different times. */
  #refusal(kind: CallKind, operation: string, at: number, why?: ReasonNotMade) {
    const now = this.#now();
    const asked = this.#asked(kind);
    const lacksBudget = 'at' in asked;
    const earliest = Math.max(at, lacksBudget ? asked.at : now, now + SHORTEST_PAUSE_MS);
    const apartMs = lacksBudget ? refillMs(asked.budget, kind) : SHORTEST_PAUSE_MS;
    const reason = why ?? (lacksBudget || at > now ? 'no_budget' : 'no_slot');
    return notMade(reason, operation, new Date(this.#returnTimes.add(kind, earliest, apartMs)));
  }

  /** What the budget would say: a call that was refused for another reason may lack budget, too. */
  #asked(kind: CallKind) {
    const now = this.#now();
    const expected = this.#returnTimes.expected(now);
    return takeCall(this.#budget.known(), { kind, isDue: true, expected }, now);
  }

  async #learnFrom(call: GatedCall, exchange: Exchange, grantedAt: number): Promise<void> {
    const headers = exchange.kind === 'answer' ? exchange.headers : {};
    const isRefused = exchange.kind === 'answer' && exchange.status === TOO_MANY_REQUESTS;
    if (isRefused) this.#observer.call(call.callClass, 'refused');
    const about = { kind: kindOf(call), grantedAt, inFlight: this.#runningAtOnce() - 1 };
    // By the clock of that moment, which may have been set back since the call ended.
    const endedBy = (now: Date) => ({
      ...about,
      endedAt: now.getTime(),
      ...readRateLimit(headers, now),
      busyUntil: isRefused ? retryMoment(headers, now).getTime() : 0,
    });
    const at = this.#now();
    const ended = endedBy(new Date(at));
    this.#busyUntil = Math.max(this.#busyUntil, ended.busyUntil);
    const known = this.#budget.known();
    if (learn(known, ended) === known) return;
    await this.#budget
      .change((budget, now) => ({ budget: learn(budget, endedBy(new Date(Math.min(now, at)))) }))
      .catch(this.#observer.budgetFailed);
  }
}

/** Each takes 6 KB. One that is evicted loses little: its key's budget is stored, and the rest is short-lived. */
const KEPT_KEYS = 1_000;

export type Gates = ReturnType<typeof createGates>;

/** The gates of all API keys, by fingerprint. */
export function createGates(options: Options) {
  const gates = new LRUCache<string, KeyGate>(atMost(KEPT_KEYS));
  const isClockSetBack = watchForSetBack(options.now);
  return {
    of(fingerprint: string): KeyGate {
      // The times in memory would now be reached too late.
      if (isClockSetBack()) gates.clear();
      const gate = gates.get(fingerprint) ?? new KeyGate(fingerprint, options);
      gates.set(fingerprint, gate);
      return gate;
    },
    /** The keys that were used in the last minute. */
    states: () =>
      [...gates.entries()]
        .map(([fingerprint, gate]) => ({ fingerprint, ...gate.state() }))
        .filter(({ isIdle }) => !isIdle),
  };
}

import { CLOCKS_DIFFER_MS } from '../../clock.ts';
import { type Budget, moveBack, newBudget } from './budget.ts';
import type { CallKind } from './call-class.ts';

/** A stored budget. The revision grows with every change. */
export type VersionedBudget = { revision: number; budget: Budget; changedAt: Date };

/**
 * Stores budgets, shared by all processes with the same keys. It takes and returns times by this process's clock. Where
 * processes share a database, it stores them by the database's, which is `aheadSeconds` ahead.
 */
export type BudgetStore = {
  read(
    fingerprint: string,
    now: Date,
  ): Promise<{ kept: VersionedBudget | undefined; aheadSeconds: number }>;
  /**
   * Replaces the budget with the given revision, or adds one if that is undefined. It is on disk when this resolves: to
   * the new revision, or to undefined if nothing was stored, because another process has changed the budget, or this
   * process's clock has jumped since it was compared with the database's.
   */
  replace(
    fingerprint: string,
    revision: number | undefined,
    budget: Budget,
    at: { now: Date; aheadSeconds: number },
  ): Promise<number | undefined>;
};

const UNUSED = newBudget();

/** The stored budget of one key, which other processes change, too. */
export class SharedBudget {
  readonly #store: BudgetStore;
  readonly #fingerprint: string;
  readonly #now: () => Date;
  #seen: Awaited<ReturnType<BudgetStore['read']>> | undefined;
  #changing: Promise<void> = Promise.resolve();

  constructor(store: BudgetStore, fingerprint: string, now: () => Date) {
    this.#store = store;
    this.#fingerprint = fingerprint;
    this.#now = now;
  }

  /**
   * The budget as this process has seen it last; others can only have used more of it. If the clock was set back since it
   * was stored, every time in it is moved back as far, so that nothing counts longer than before.
   */
  known(now = this.#now()): Budget {
    const kept = this.#seen?.kept;
    if (!kept) return UNUSED;
    const setBackBy = kept.changedAt.getTime() - now.getTime();
    if (setBackBy <= CLOCKS_DIFFER_MS) return kept.budget;
    // Rounded so that no call counts for less time.
    return moveBack(kept.budget, Math.floor(setBackBy / 1_000));
  }

  async read(): Promise<Budget> {
    this.#seen = await this.#store.read(this.#fingerprint, this.#now());
    return this.known();
  }

  /**
   * Changes the budget, one change after the other, and stores each before it resolves.
   *
   * @param decide is called again if the budget has changed meanwhile; returns the same one to change nothing
   */
  async change<Decided extends { budget: Budget }>(
    decide: (budget: Budget, now: number) => Decided,
  ): Promise<Decided> {
    const before = this.#changing;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#changing = promise;
    await before;
    try {
      if (!this.#seen) await this.read();
      for (;;) {
        const { kept, aheadSeconds = 0 } = this.#seen ?? {};
        const now = this.#now();
        const decided = decide(this.known(now), now.getTime());
        const { budget } = decided;
        if (budget === (kept?.budget ?? UNUSED)) return decided;
        const times = { now, aheadSeconds };
        const stored = await this.#store.replace(this.#fingerprint, kept?.revision, budget, times);
        if (stored !== undefined) {
          this.#seen = { kept: { revision: stored, budget, changedAt: now }, aheadSeconds };
          return decided;
        }
        // Another process was faster, or this one's clock has jumped.
        await this.read();
      }
    } finally {
      resolve();
    }
  }
}

/** A call that hasn't returned this long after its time isn't expected any more, in ms. */
const EXPIRES_AFTER_MS = 3_000;
/** How many times are remembered. Further calls get a time, too. */
const MOST_REMEMBERED = 1_000;
/** No call has to wait longer than this for those before it, in ms. */
const LONGEST_WAIT_MS = 60 * 60_000;

/**
 * When refused submissions and links, which wait in the job table, ask again: spread out, in the order in which they
 * were refused, so that few ask in vain. In ms since 1970.
 */
export class ReturnTimes {
  readonly #times: { [kind in CallKind]?: number[] } = { submission: [], posted: [] };

  /** How many are expected, due or not. */
  expected(now: number): { submissions: number; links: number } {
    const { submission = [], posted = [] } = this.#times;
    for (const times of [submission, posted])
      while ((times[0] ?? now) <= now - EXPIRES_AFTER_MS) times.shift();
    return { submissions: submission.length, links: posted.length };
  }

  /** Whether one of this kind is due: the call that asks is then assumed to be the one that was given this time. */
  takeDue(kind: CallKind, now: number): boolean {
    this.expected(now);
    const [next = Number.POSITIVE_INFINITY] = this.#times[kind] ?? [];
    return next <= now && this.#times[kind]?.shift() !== undefined;
  }

  /** Chooses the time for one more call: not before `at`, and `apartMs` after the previous one. */
  add(kind: CallKind, at: number, apartMs: number): number {
    const times = this.#times[kind];
    if (!times) return at;
    const afterOthers = Math.min((times.at(-1) ?? 0) + apartMs, at + LONGEST_WAIT_MS);
    const next = Math.ceil(Math.max(at, afterOthers));
    if (times.length < MOST_REMEMBERED) times.push(next);
    return next;
  }
}

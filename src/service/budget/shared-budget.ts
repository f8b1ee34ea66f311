import { type Budget, followClock, newBudget } from './budget.ts';

/** A stored budget. The revision grows with every change. */
export type KeptBudget = { revision: number; budget: Budget; changedAt: Date };

/**
 * Stores budgets, shared by all processes with the same keys. Where processes share a database, its clock counts:
 * budgets are stored in its time, and are in this process's time here.
 */
export type BudgetStore = {
  /** @returns also by how many seconds the database's clock is ahead of `now` */
  read(
    fingerprint: string,
    now: Date,
  ): Promise<{ kept: KeptBudget | undefined; aheadSeconds: number }>;
  /**
   * Replaces the budget with the given revision, or adds one if that is undefined. It is on disk when this
   * resolves.
   *
   * @param now in this process's time, as everything in the budget
   * @param aheadSeconds as it was read last
   * @returns the new revision, or undefined if another process has changed the budget, or this process's clock has
   *   jumped since it was compared with the database's; nothing is stored then
   */
  replace(
    fingerprint: string,
    revision: number | undefined,
    budget: Budget,
    { now, aheadSeconds }: { now: Date; aheadSeconds: number },
  ): Promise<number | undefined>;
};

/** Must be free of side effects, since it is called again if the budget was changed meanwhile. */
type Decision<Result> = (budget: Budget, now: number) => { budget: Budget; result: Result };

/** The budget of one key, with compare-and-swap. */
export type SharedBudget = {
  /** The last budget that this process has seen. */
  known(): Budget;
  /**
   * Changes the budget, and stores the change before it resolves. Simultaneous decisions are stored together,
   * each based on the one before.
   *
   * @throws the store's error if the change couldn't be stored
   */
  decide<Result>(decision: Decision<Result>): Promise<Result>;
};

/** A decision that changes nothing may be based on a budget that was read this long ago, in ms. */
const KNOWN_FOR_MS = 1_000;

type Waiting = { make: Decision<() => void>; fail: (error: unknown) => void };

export function shareBudget(
  store: BudgetStore,
  fingerprint: string,
  now: () => Date,
): SharedBudget {
  let kept: Partial<KeptBudget> = {};
  /** Undefined until the clocks have been compared. */
  let aheadSeconds: number | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let waiting: Waiting[] = [];
  let deciding = false;

  const atMoment = (budget: Budget, moment: Date): Budget =>
    followClock(budget, (kept.changedAt ?? moment).getTime(), moment.getTime());

  async function read(): Promise<void> {
    const answer = await store.read(fingerprint, now());
    kept = answer.kept ?? {};
    aheadSeconds = answer.aheadSeconds;
    readAt = now().getTime();
  }

  /** Read once, to compare the clocks. */
  async function latest(): Promise<Budget> {
    if (aheadSeconds === undefined) await read();
    return kept.budget ?? newBudget();
  }

  async function decideAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        for (const tell of await decideTogether(batch)) tell();
      } catch (error) {
        for (const { fail } of batch) fail(error);
      }
    }
    deciding = false;
  }

  async function decideTogether(batch: readonly Waiting[]): Promise<(() => void)[]> {
    for (;;) {
      const before = await latest();
      const moment = now();
      let budget = atMoment(before, moment);
      const results = batch.map(({ make }) => {
        const decided = make(budget, moment.getTime());
        budget = decided.budget;
        return decided.result;
      });
      if (budget === before) {
        const age = moment.getTime() - readAt;
        if (age >= 0 && age <= KNOWN_FOR_MS) return results;
        await read();
        continue;
      }
      const times = { now: moment, aheadSeconds: aheadSeconds ?? 0 };
      const revision = await store.replace(fingerprint, kept.revision, budget, times);
      if (revision === undefined) {
        // Another process changed the budget first, or the clock has jumped: decide again.
        await read();
        continue;
      }
      kept = { revision, budget, changedAt: moment };
      readAt = moment.getTime();
      return results;
    }
  }

  return {
    known: () => atMoment(kept.budget ?? newBudget(), now()),
    decide: (decision) =>
      new Promise((resolve, reject) => {
        waiting.push({
          make(budget, moment) {
            const decided = decision(budget, moment);
            return { budget: decided.budget, result: () => resolve(decided.result) };
          },
          fail: reject,
        });
        if (deciding) return;
        deciding = true;
        void decideAll();
      }),
  };
}

import { type Budget, followClock, newBudget } from './budget.ts';

/** A budget as it is kept, and when it was; the revision grows with every change. */
export type KeptBudget = { revision: number; budget: Budget; changedAt: Date };

/** Where budgets are kept, shared by every process that uses the same keys. */
export type BudgetStore = {
  /** What is kept of a key, or undefined where nothing is. */
  read(fingerprint: string): Promise<KeptBudget | undefined>;
  /**
   * Keeps a budget in place of the one with the given revision, or of none where that is undefined. It is
   * on disk when this resolves.
   *
   * @returns the new revision, or undefined where somebody else changed it since: nothing is kept then
   */
  replace(
    fingerprint: string,
    revision: number | undefined,
    budget: Budget,
    now: Date,
  ): Promise<number | undefined>;
};

/** Decides on a budget. It may be asked again with a newer one, so it must not do anything else. */
type Decision<Result> = (budget: Budget, now: number) => { budget: Budget; result: Result };

/** The budget of one key, as this process sees and changes it. */
export type SharedBudget = {
  /** What this process knows of it, perhaps a moment old. */
  known(): Budget;
  /**
   * Decides, and keeps what was decided before it resolves. Decisions that come together are kept
   * together, each made on the outcome of the one before.
   *
   * @throws the store's error, where it could not be kept
   */
  decide<Result>(decision: Decision<Result>): Promise<Result>;
};

/** A decision that changes nothing is made on what was read at most this long ago, in ms. */
const KNOWN_FOR_MS = 1_000;

type Waiting = { make: Decision<() => void>; fail: (error: unknown) => void };

export function shareBudget(
  store: BudgetStore,
  fingerprint: string,
  now: () => Date,
): SharedBudget {
  let kept: Partial<KeptBudget> = {};
  let readAt = Number.NEGATIVE_INFINITY;
  let waiting: Waiting[] = [];
  let deciding = false;

  const atMoment = (budget: Budget, moment: Date): Budget =>
    followClock(budget, (kept.changedAt ?? moment).getTime(), moment.getTime());

  async function read(): Promise<void> {
    kept = (await store.read(fingerprint)) ?? {};
    readAt = now().getTime();
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
      const before = kept.budget ?? newBudget();
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
      const revision = await store.replace(fingerprint, kept.revision, budget, moment);
      if (revision === undefined) {
        // Another process came first: its outcome is what is decided on now.
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

import { moveBack } from '../../../src/service/budget/budget.ts';
import type { BudgetStore } from '../../../src/service/budget/shared-budget.ts';

/** By how many seconds the database's clock is ahead of a virtual time that starts then. */
export const secondsAhead = (startsAt: number): number =>
  Math.round((Date.now() - startsAt) / 1_000);

/**
 * Budgets in a virtual time that only moves forward, in a database whose own clock is real: to the database, everything
 * that a budget says is shifted by the same number of seconds.
 */
export function virtualBudgets(store: BudgetStore, ahead: number): BudgetStore {
  return {
    async read(fingerprint) {
      const { kept } = await store.read(fingerprint, new Date());
      if (!kept) return { kept, aheadSeconds: 0 };
      const changedAt = new Date(kept.changedAt.getTime() - ahead * 1_000);
      return {
        kept: { ...kept, changedAt, budget: moveBack(kept.budget, ahead) },
        aheadSeconds: 0,
      };
    },
    replace: (fingerprint, revision, budget) =>
      store.replace(fingerprint, revision, moveBack(budget, -ahead), {
        now: new Date(),
        aheadSeconds: 0,
      }),
  };
}

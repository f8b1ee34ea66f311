import { describe, expect, it } from 'vitest';
import { type Budget, newBudget } from '../../src/service/budget/budget.ts';
import { at, type OpenStores } from './stores-under-test.ts';

const FULL: Budget = {
  limit: 600,
  calls: [
    { second: 1_772_442_000, count: 3 },
    { second: 1_772_442_001, count: 57 },
  ],
  ceiling: { left: 4, until: at(20).getTime() },
  waitUntil: at(60).getTime(),
};

export function describeBudgets(openStores: OpenStores): void {
  describe('a key’s budget', () => {
    it('is stored as it was written, and visible to other processes', async () => {
      const { stores, openAgain } = await openStores();
      expect(await stores.budgets.read('f1')).toBeUndefined();
      const revision = await stores.budgets.replace('f1', undefined, FULL, at(0));
      const other = (await openAgain()).budgets;
      expect(await other.read('f1')).toEqual({ revision, changedAt: at(0), budget: FULL });
      await other.replace('f1', revision, newBudget(), at(1));
      expect((await stores.budgets.read('f1'))?.budget).toEqual(newBudget());
    });

    it('is changed by one of those who saw its latest state, and by nobody who saw an older one', async () => {
      const { stores, openAgain } = await openStores();
      const all = [stores.budgets, (await openAgain()).budgets, (await openAgain()).budgets];
      let revision: number | undefined;
      for (let round = 0; round < 20; round += 1) {
        const seen = revision;
        const limits = all.map((_, index) => round * 10 + index + 1);
        const written = await Promise.all(
          all.map((budgets, index) =>
            budgets.replace('f1', seen, { ...FULL, limit: limits[index] ?? 0 }, at(round)),
          ),
        );
        const winners = written.filter((one) => one !== undefined);
        expect(winners).toHaveLength(1);
        revision = winners[0];
        const winner = limits[written.findIndex((one) => one !== undefined)];
        expect((await stores.budgets.read('f1'))?.budget.limit).toBe(winner);
      }
    });

    it('is written together with others, each independently', async () => {
      const { budgets } = (await openStores()).stores;
      const taken = await budgets.replace('f2', undefined, FULL, at(0));
      const written = await Promise.all([
        budgets.replace('f3', undefined, FULL, at(1)),
        budgets.replace('f2', undefined, newBudget(), at(1)),
        budgets.replace('f1', undefined, { ...FULL, limit: 7 }, at(1)),
      ]);
      expect(written.map((revision) => revision !== undefined)).toEqual([true, false, true]);
      expect(await budgets.read('f2')).toEqual({ revision: taken, changedAt: at(0), budget: FULL });
      expect((await budgets.read('f1'))?.budget.limit).toBe(7);
    });

    it('is deleted when nobody has changed it for long', async () => {
      const { budgets } = (await openStores()).stores;
      const revision = await budgets.replace('f1', undefined, FULL, at(0));
      await budgets.replace('f2', undefined, FULL, at(10));
      expect(await budgets.prune(at(5))).toBe(1);
      expect(await budgets.read('f1')).toBeUndefined();
      expect(await budgets.replace('f1', revision, FULL, at(11))).toBeUndefined();
      expect(await budgets.replace('f1', undefined, FULL, at(11))).toBeDefined();
    });
  });
}

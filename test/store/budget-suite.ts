import { describe, expect, it } from 'vitest';
import { type Budget, newBudget } from '../../src/service/budget/budget.ts';
import type { Stores } from '../../src/store/stores.ts';
import { at, type OpenStores } from './stores-under-test.ts';

const FULL: Budget = {
  limit: 600,
  calls: [
    { until: 1_772_442_064_000, count: 3, links: 0 },
    { until: 1_772_442_065_000, count: 57, links: 2 },
  ],
  ceiling: { left: 4, until: at(20).getTime() },
  waitUntil: at(60).getTime(),
};

/** In the time of this machine, whose clock is also the database's. */
const times = () => ({ now: new Date(), aheadSeconds: 0 });
const keptIn = async ({ budgets }: Pick<Stores, 'budgets'>, fingerprint: string) =>
  (await budgets.read(fingerprint, new Date())).kept;

export function describeBudgets(openStores: OpenStores): void {
  describe('a key’s budget', () => {
    it('that can’t be read counts as used up for a minute, and can be replaced', async () => {
      const { stores, db } = await openStores();
      const written = times();
      const revision = await stores.budgets.replace('f1', undefined, FULL, written);
      await db.updateTable('budgets').set({ budget: '{"limit": "many"}' }).execute();
      const waitUntil = written.now.getTime() + 60_000;
      expect((await keptIn(stores, 'f1'))?.budget).toEqual({ ...newBudget(), waitUntil });
      await stores.budgets.replace('f1', revision, FULL, times());
      expect((await keptIn(stores, 'f1'))?.budget).toEqual(FULL);
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
            budgets.replace('f1', seen, { ...FULL, limit: limits[index] ?? 0 }, times()),
          ),
        );
        const winners = written.filter((one) => one !== undefined);
        expect(winners).toHaveLength(1);
        revision = winners[0];
        const winner = limits[written.findIndex((one) => one !== undefined)];
        expect((await keptIn(stores, 'f1'))?.budget.limit).toBe(winner);
      }
    });
  });
}

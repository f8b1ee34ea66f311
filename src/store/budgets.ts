import { sql } from 'kysely';
import { moveBack, newBudget, storedBudget, WINDOW_MS } from '../service/budget/budget.ts';
import type { BudgetStore } from '../service/budget/shared-budget.ts';
import type { Database } from './database.ts';
import { databaseNow, databaseTime } from './replicas.ts';
import { createRowReader, engineOf } from './rows.ts';

// A budget is stored only if the database's clock is this close to the time that its process
// expects: the clocks' difference is known in whole seconds, and the statement may have waited.
const EARLIER_MS = 1_000;
const LATER_MS = 2_000;

export function createBudgetStore(db: Database, read = createRowReader()): BudgetStore {
  const isShared = engineOf(db) === 'postgres';
  return {
    async read(fingerprint, now) {
      const row = await db
        .selectFrom('budgets')
        .selectAll()
        .where('fingerprint', '=', fingerprint)
        .executeTakeFirst();
      const ahead = isShared ? (await databaseTime(db)).getTime() - now.getTime() : 0;
      const aheadSeconds = Math.round(ahead / 1_000);
      if (!row) return { kept: undefined, aheadSeconds };
      const about = { table: 'budgets', id: fingerprint, workspace: '' } as const;
      const changedAt = row.changedAt.getTime();
      // One that can't be read counts as used up.
      const budget = read(about, storedBudget, row.budget) ?? {
        ...newBudget(),
        waitUntil: changedAt + WINDOW_MS,
      };
      const kept = {
        revision: row.revision,
        changedAt: new Date(changedAt - aheadSeconds * 1_000),
        budget: moveBack(budget, aheadSeconds),
      };
      return { kept, aheadSeconds };
    },
    /** Compares and swaps in one statement. */
    async replace(fingerprint, expected, budget, { now, aheadSeconds }) {
      const changedAt = now.getTime() + aheadSeconds * 1_000;
      const row = {
        budget: JSON.stringify(moveBack(budget, -aheadSeconds)),
        revision: (expected ?? 0) + 1,
        changedAt: new Date(changedAt),
      };
      const add = db
        .insertInto('budgets')
        .values({ fingerprint, ...row })
        .onConflict((conflict) => conflict.column('fingerprint').doNothing())
        .returning('fingerprint');
      const change = db
        .updateTable('budgets')
        .set(row)
        .where('fingerprint', '=', fingerprint)
        .where('revision', '=', expected ?? 0)
        .$if(isShared, (query) =>
          query.where(
            sql<boolean>`${databaseNow} between ${changedAt - EARLIER_MS} and ${changedAt + LATER_MS}`,
          ),
        )
        .returning('fingerprint');
      const changed = await (expected === undefined ? add : change).execute();
      return changed.length > 0 ? row.revision : undefined;
    },
  };
}

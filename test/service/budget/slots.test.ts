import { expect, it } from 'vitest';
import { newBudget } from '../../../src/service/budget/budget.ts';
import type { CallClass, CallObserver } from '../../../src/service/budget/call-class.ts';
import { createGates } from '../../../src/service/budget/gate.ts';
import type { BudgetStore } from '../../../src/service/budget/shared-budget.ts';

const budget = { ...newBudget(), limit: 1_000 };
/** Always has calls. */
const store: BudgetStore = {
  read: async () => ({ kept: { revision: 1, budget, changedAt: new Date() }, aheadSeconds: 0 }),
  replace: async () => 2,
};
const observer: CallObserver = {
  ...{ call() {}, took() {}, keepsFailing() {}, works() {}, budgetFailed: expect.fail },
};

it('links have two slots of their own while people’s reads of a slow service take the others', async () => {
  const gates = createGates({ store, observer, now: () => new Date() });
  const running: CallClass[] = [];
  const call = (callClass: CallClass) => {
    const gated = { operation: 'getCard', method: 'GET', callClass } as const;
    const hangs = () => {
      running.push(callClass);
      return new Promise<never>(() => undefined);
    };
    gates
      .of('key')
      .pass(gated, hangs)
      .catch(() => undefined);
  };
  for (let person = 0; person < 20; person += 1) call('person');
  await expect.poll(() => running.length).toBe(10);
  for (let link = 0; link < 20; link += 1) call('posted');
  await expect.poll(() => running.slice(10)).toEqual(['posted', 'posted']);
});

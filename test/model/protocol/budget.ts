import { changeWorker, workerAt } from './changes.ts';
import { has, type Rules } from './safeguards.ts';
import type { State } from './state.ts';

export function takeGrant(state: State, worker: number, rules: Rules): State | undefined {
  const { step, budgetSeen } = workerAt(state, worker);
  if (step !== 'sending') return undefined;
  if (state.granted >= rules.scope.budget) {
    const answered = { step: 'answered', outcome: 'not_sent', leaseHeld: false } as const;
    return changeWorker(state, worker, answered);
  }
  const granted = changeWorker(state, worker, { step: 'granted', grantCounts: true });
  const before = has(rules, 'grantIsCompared') ? state.granted : budgetSeen;
  return { ...granted, granted: before + 1 };
}

/** A call that ends long after its grant may have arrived at any moment, so it counts from its end. */
export const countFromItsEnd = (state: State, { scope }: Rules): State => ({
  ...state,
  granted: Math.min(state.granted + 1, scope.budget),
});

/** Time passes until neither the budget nor the service counts earlier calls. */
export function minutePasses(state: State): State | undefined {
  if (state.granted === 0 && state.received === 0) return undefined;
  const workers = state.workers.map((worker) => ({ ...worker, grantCounts: false }));
  return { ...state, granted: 0, received: 0, workers };
}

import { LRUCache } from 'lru-cache';
import { atMost } from '../../bounds.ts';
import type { CallObserver } from './call-class.ts';
import { createKeyGate, type KeyGate, type KeyGateState } from './key-gate.ts';
import { type BudgetStore, shareBudget } from './shared-budget.ts';

/** The gates of all API keys, by fingerprint. Each has its own queue and breaker. */
export type Gates = {
  of(fingerprint: string): KeyGate;
  /** The keys that were used in the last minute. */
  states(): ({ fingerprint: string } & KeyGateState)[];
};

/** Each takes 6 KB. One that is evicted loses little: its key's budget is stored, and the rest is short-lived. */
const KEPT_KEYS = 1_000;

export function createGates(deps: {
  store: BudgetStore;
  now: () => Date;
  observer: CallObserver;
}): Gates {
  const gates = new LRUCache<string, KeyGate>(atMost(KEPT_KEYS));
  return {
    of(fingerprint) {
      const known = gates.get(fingerprint);
      if (known) return known;
      const gate = createKeyGate({
        ...deps,
        budget: shareBudget(deps.store, fingerprint, deps.now),
      });
      gates.set(fingerprint, gate);
      return gate;
    },
    states: () =>
      [...gates.entries()]
        .map(([fingerprint, gate]) => ({ fingerprint, ...gate.state() }))
        .filter(({ isIdle }) => !isIdle),
  };
}

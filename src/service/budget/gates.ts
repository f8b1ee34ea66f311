import { LRUCache } from 'lru-cache';
import type { CallClass } from './call-class.ts';
import type { CallObserver } from './call-observer.ts';
import type { Gate } from './gate.ts';
import { createKeyGate, type KeyGate, type KeyGateState } from './key-gate.ts';
import { type BudgetStore, shareBudget } from './shared-budget.ts';

/** The gates of all API keys, by the keys' fingerprints. Each is a queue and a breaker of its own. */
export type Gates = {
  of(fingerprint: string): KeyGate;
  /** The keys with which something was done in the last minute. */
  states(): ({ fingerprint: string } & KeyGateState)[];
};

/** Keys beyond these begin anew: their budget is on disk, and nothing else of them matters for long. */
const KEPT_KEYS = 10_000;

export function createGates(deps: {
  store: BudgetStore;
  now: () => Date;
  observer: CallObserver;
}): Gates {
  const gates = new LRUCache<string, KeyGate>({ max: KEPT_KEYS });
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

/** A client's gate for calls of one class. */
export const gateFor =
  (gate: KeyGate, callClass: CallClass): Gate =>
  (call, make) =>
    gate.pass(callClass, call, make);

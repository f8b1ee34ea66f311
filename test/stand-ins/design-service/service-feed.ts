import type { LedgerEntry } from './ledger.ts';
import type { Reply } from './replies.ts';

/** What changed, for pages that show it. Only this contains an answer's body: the ledger keeps none. */
export type ServiceChange =
  | { kind: 'call'; entry: LedgerEntry }
  | { kind: 'answer'; entry: LedgerEntry; reply: Reply }
  | { kind: 'card' };

export type ServiceFeed = {
  emit(change: ServiceChange): void;
  onChange(listener: (change: ServiceChange) => void): () => void;
};

/** A list of listeners, called in the order in which they were added. */
export function createServiceFeed(): ServiceFeed {
  const listeners = new Set<(change: ServiceChange) => void>();
  return {
    emit(change) {
      for (const listener of [...listeners]) listener(change);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

import type { Operation } from './api-call.ts';
import { fingerprintOfKey } from './api-keys.ts';
import { RATE_WINDOW_MS } from './rate-limit.ts';

/** One call that arrived, in order of arrival, whatever its outcome. */
export type LedgerEntry = {
  at: Date;
  method: string;
  /** Relative to the base URL, without the query; outside of it, the whole path. */
  path: string;
  query: string;
  operation?: Operation | undefined;
  /** Last four characters of the key that was sent, valid or not. */
  keyEnding?: string | undefined;
  keyFingerprint?: string | undefined;
  /** Undefined until an answer is written, and forever if the connection was dropped. */
  status?: number | undefined;
  /** Whether the service did what was asked: created the card, or read what was requested. */
  executed: boolean;
  createdCardId?: string | undefined;
  /** Parsed if it is JSON, otherwise the text. */
  requestBody?: unknown | undefined;
  caller?: string | undefined;
  /** Calls left in the window after this one; undefined if the key is invalid. */
  remaining?: number | undefined;
};

export type CallFilter = {
  operation?: Operation | undefined;
  method?: string | undefined;
  executed?: boolean | undefined;
  keyFingerprint?: string | undefined;
};

export function filterCalls(ledger: LedgerEntry[], filter: CallFilter = {}): LedgerEntry[] {
  return ledger.filter(
    (entry) =>
      (filter.operation === undefined || entry.operation === filter.operation) &&
      (filter.method === undefined || entry.method === filter.method) &&
      (filter.executed === undefined || entry.executed === filter.executed) &&
      (filter.keyFingerprint === undefined || entry.keyFingerprint === filter.keyFingerprint),
  );
}

/** The most calls in any 60 s, refused ones too, with this key or fingerprint, or with the busiest key. */
export function largestWindow(ledger: LedgerEntry[], keyOrFingerprint?: string): number {
  const arrivals = new Map<string, number[]>();
  for (const { keyFingerprint, at } of ledger) {
    if (keyFingerprint === undefined) continue;
    const times = arrivals.get(keyFingerprint) ?? [];
    times.push(at.getTime());
    arrivals.set(keyFingerprint, times);
  }
  if (keyOrFingerprint === undefined) return Math.max(0, ...[...arrivals.values()].map(mostInside));
  const times = arrivals.get(keyOrFingerprint) ?? arrivals.get(fingerprintOfKey(keyOrFingerprint));
  return mostInside(times ?? []);
}

/** The most of the given times (ms) that are less than one window apart. */
function mostInside(times: number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  let first = 0;
  let most = 0;
  sorted.forEach((time, index) => {
    while (time - (sorted[first] ?? time) >= RATE_WINDOW_MS) first += 1;
    most = Math.max(most, index - first + 1);
  });
  return most;
}

import type { Operation } from './api-call.ts';
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
  /** Calls left in the window after this one; undefined if the key is invalid. */
  remaining?: number | undefined;
};

const FILTERS = ['operation', 'executed', 'keyFingerprint'] as const;

export type CallFilter = Partial<Pick<LedgerEntry, (typeof FILTERS)[number]>>;

export const filterCalls = (ledger: LedgerEntry[], filter: CallFilter = {}): LedgerEntry[] =>
  ledger.filter((entry) =>
    FILTERS.every((name) => filter[name] === undefined || filter[name] === entry[name]),
  );

/** The most calls in any 60 s, refused ones too, with the busiest key. */
export function largestWindow(ledger: LedgerEntry[]): number {
  const withKey = ledger.filter(({ keyFingerprint }) => keyFingerprint !== undefined);
  const byKey = Map.groupBy(withKey, ({ keyFingerprint }) => keyFingerprint);
  const counts = [...byKey.values()].map((calls) => mostInside(calls.map(({ at }) => +at)));
  return Math.max(0, ...counts);
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

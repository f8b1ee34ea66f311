import type { Answers } from './answers.ts';
import type { ApiKeys } from './api-keys.ts';
import type { Cards } from './cards.ts';
import type { Downloads } from './downloads.ts';
import type { Faults } from './faults.ts';
import type { LedgerEntry } from './ledger.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { ReferenceLists } from './resources.ts';
import type { ServiceFeed } from './service-feed.ts';

/** Everything a call can read or change. */
export type ServiceState = {
  clock: () => Date;
  /** IANA name of the time zone in which timestamps are written. */
  timezone: string;
  partnerName: string;
  basePath: string;
  filesUrl: () => string;
  answers: Answers;
  referenceLists: ReferenceLists;
  cards: Cards;
  downloads: Downloads;
  keys: ApiKeys;
  rates: RateLimiter;
  faults: Faults;
  ledger: LedgerEntry[];
  feed: ServiceFeed;
  /** Aborts when the service closes. */
  closing: AbortSignal;
};

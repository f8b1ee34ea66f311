import { createFeed } from '../change-feed.ts';
import type { Answers } from './answers.ts';
import type { ApiKeys } from './api-keys.ts';
import type { Cards } from './cards.ts';
import type { Downloads } from './downloads.ts';
import type { Faults } from './faults.ts';
import type { LedgerEntry } from './ledger.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { Reply } from './replies.ts';
import type { ReferenceLists } from './resources.ts';

/** What changed, for pages that show it. Only this contains an answer's body: the ledger keeps none. */
type ServiceChange =
  | { kind: 'call'; entry: LedgerEntry }
  | { kind: 'answer'; entry: LedgerEntry; reply: Reply }
  | { kind: 'card' };

export const createServiceFeed = () => createFeed<ServiceChange>();

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
  feed: ReturnType<typeof createServiceFeed>;
  /** Aborts when the service closes. */
  closing: AbortSignal;
};

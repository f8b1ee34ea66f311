import { createFeed } from '../change-feed.ts';
import type { LedgerEntry } from './ledger.ts';
import type { Reply } from './replies.ts';

/** What changed, for pages that show it. Only this contains an answer's body: the ledger keeps none. */
type ServiceChange =
  | { kind: 'call'; entry: LedgerEntry }
  | { kind: 'answer'; entry: LedgerEntry; reply: Reply }
  | { kind: 'card' };

export const createServiceFeed = () => createFeed<ServiceChange>();
export type ServiceFeed = ReturnType<typeof createServiceFeed>;

import { createFeed } from '../change-feed.ts';
import { defaultAnswers } from './answers.ts';
import { createApiKeys } from './api-keys.ts';
import { createCards } from './cards.ts';
import { createDownloads } from './downloads.ts';
import { createFaults, seededRandom } from './faults.ts';
import type { LedgerEntry } from './ledger.ts';
import { createRateLimiter } from './rate-limit.ts';
import type { Reply } from './replies.ts';
import type { ReferenceLists } from './resources.ts';
import { FILES_PATH } from './serve-file.ts';

/** What changed, for pages that show it. Only this contains an answer's body: the ledger keeps none. */
type ServiceChange =
  | { kind: 'call'; entry: LedgerEntry }
  | { kind: 'answer'; entry: LedgerEntry; reply: Reply }
  | { kind: 'card' };

/** api.md 8: typically 60 requests per minute and key. */
const REQUESTS_PER_MINUTE = 60;
const RANDOM_SEED = 20_260_101;

export type StateOptions = {
  clock?: () => Date;
  requestsPerMinute?: number;
  /** From 0 up to 1, for faults with a probability; by default the same numbers every time. */
  random?: () => number;
};

/** Everything a call can read or change. */
export type ServiceState = ReturnType<typeof createServiceState>;

export function createServiceState(options: StateOptions, origin: string, closing: AbortSignal) {
  const { clock = () => new Date() } = options;
  const feed = createFeed<ServiceChange>();
  const changed = () => feed.emit({ kind: 'card' });
  const filesUrl = `${origin}${FILES_PATH}`;
  const answers = defaultAnswers();
  const referenceLists: ReferenceLists = { requestTypes: [], brands: [], tags: [] };
  const ledger: LedgerEntry[] = [];
  return {
    clock,
    feed,
    filesUrl,
    answers,
    referenceLists,
    ledger,
    closing,
    /** Not the root, so that callers must keep base paths. */
    basePath: '/client/api',
    cards: createCards(clock, filesUrl, changed),
    downloads: createDownloads(clock, { closing, changed }),
    keys: createApiKeys(options.requestsPerMinute ?? REQUESTS_PER_MINUTE),
    rates: createRateLimiter(clock, answers),
    faults: createFaults(options.random ?? seededRandom(RANDOM_SEED)),
  };
}

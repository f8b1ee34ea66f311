import { LRUCache } from 'lru-cache';
import { atMost, forAtMost } from '../../clock.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { Metrics } from '../../ops/metrics/metrics.ts';
import { type Entries, entryKind } from '../../store/entries.ts';
import type { DesignApiError } from '../errors.ts';
import { type Card, cardResource } from '../operations/card.ts';
import { NotConnectedError, type ServiceAccess } from '../service-access.ts';
import {
  type CachedAnswer,
  type CacheKey,
  createReadCache,
  type Demand,
  storedAnswer,
} from './read-cache.ts';

/** A card, or why the workspace can't read it; `readAt` and `readError` are as in `CachedAnswer`. */
export type CardReading = { readAt: Date } & (
  | { card: Card; readError?: DesignApiError }
  | { unreadable: 'not_found' | 'forbidden' }
);

/** Without `since`, a card that was read in the last minute is new enough. */
export type CardDemand = Pick<Demand, 'class' | 'allowStale'> & { since?: Date };

export type CardReader = ReturnType<typeof createCardReader>;

/** Long enough for the composer preview and the posted link to share one call. */
export const CARD_FRESH_MS = 60_000;
/** A card that can't be read again is shown with its age for an hour. */
const KEEP_CARDS_MS = 60 * 60_000;
const CARDS = entryKind('cards', storedAnswer, KEEP_CARDS_MS);
/** A card is read again at most this often if someone keeps pressing Refresh. */
const REFRESHED_EVERY_MS = 10_000;
const REMEMBERED_REFRESHES = 10_000;
/** Several thousand ordinary cards. The service's largest answers (1 MiB) fit, too. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** Reads each card at most once a minute unless a newer one is requested. @param deps.entries undefined without replicas */
export function createCardReader(deps: {
  service: ServiceAccess;
  timezone: string;
  now: () => Date;
  metrics: Pick<Metrics, 'cache'>;
  entries?: Entries | undefined;
  log: Log;
  /** Never rejects. */
  onRead?: (key: CacheKey, card: Card) => Promise<void>;
}) {
  const { service, timezone, now, metrics, entries, log, onRead } = deps;
  const cards = createReadCache<Card>({
    kind: CARDS,
    entries,
    metrics,
    now,
    log,
    resource: (id) => cardResource(id, timezone),
    keepMs: KEEP_CARDS_MS,
    maxCharacters: MAX_CHARACTERS,
    ...(onRead ? { onRead } : {}),
  });
  /** When someone asked to read a card again. */
  const refreshes = new LRUCache<string, Date>({
    ...atMost(REMEMBERED_REFRESHES),
    ...forAtMost(REFRESHED_EVERY_MS, now),
  });

  const keyOf = async (workspaceId: WorkspaceId, id: string) => ({
    ...(await service.open(workspaceId)),
    id,
  });

  return {
    /** @throws NotConnectedError; DesignApiError if there is no older card to return instead */
    async read(workspaceId: WorkspaceId, cardId: string, demand: CardDemand) {
      const since = new Date(now().getTime() - CARD_FRESH_MS);
      const key = await keyOf(workspaceId, cardId);
      return toCardReading(await cards.read(key, { since, ...demand }));
    },

    /** What is known, however old, without a call. Undefined if that is nothing, or there is no usable key. */
    async load(workspaceId: WorkspaceId, id: string) {
      const key = await keyOf(workspaceId, id).catch((error: unknown) => {
        if (error instanceof NotConnectedError) return undefined;
        throw error;
      });
      const found = key && (await cards.load(key));
      return found && toCardReading(found);
    },

    /** For a person; within ten seconds, the same result again with `isRepeated`. Throws like `read`. */
    async refresh(
      workspaceId: WorkspaceId,
      cardId: string,
    ): Promise<CardReading & { isRepeated?: boolean }> {
      const key = await keyOf(workspaceId, cardId);
      const entry = JSON.stringify([workspaceId, key.fingerprint, cardId]);
      const last = refreshes.get(entry);
      const since = last ?? now();
      if (!last) refreshes.set(entry, since);
      const answer = await cards.read(key, { class: 'person', since, failedSince: since });
      const reading = toCardReading(answer);
      return last ? { ...reading, isRepeated: true } : reading;
    },

    /** Invalidates a card, including that it doesn't exist. */
    forgetCard: cards.drop,

    /** Invalidates all cards of the workspace. */
    forget: (workspaceId: WorkspaceId) => void cards.forget(workspaceId),
  };
}

function toCardReading(answer: CachedAnswer<Card>): CardReading {
  const { readAt, readError } = answer;
  if ('refused' in answer) return { unreadable: answer.refused, readAt };
  return { card: answer.value, readAt, ...(readError ? { readError } : {}) };
}

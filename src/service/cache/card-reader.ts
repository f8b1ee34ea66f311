import { LRUCache } from 'lru-cache';
import { atMost, forAtMost } from '../../bounds.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { Metrics } from '../../ops/metrics/metrics.ts';
import type { Entries } from '../../store/entries.ts';
import type { CallClass } from '../budget/call-class.ts';
import type { DesignApiError } from '../errors.ts';
import { type Card, card } from '../operations/read-card.ts';
import { NotConnectedError, type ServiceAccess } from '../service-access.ts';
import {
  answerKind,
  type CacheKey,
  createReadCache,
  type Demand,
  type ReadableCacheKey,
  type ReadResult,
} from './read-cache.ts';

/**
 * A card, or why the workspace can't read it, and when the service was asked. `trouble` is why the card is older
 * than requested.
 */
export type CardReading = { readAt: Date } & (
  | { card: Card; trouble?: DesignApiError }
  | { unreadable: 'not_found' | 'forbidden' }
);

export type CardDemand = {
  /** Who waits for it. */
  class: CallClass;
  /** A card that was read earlier is too old. Default: a minute ago. */
  since?: Date;
  /** Returns a card that is too old immediately, and revalidates it in the background. */
  allowStale?: boolean;
};

/** Reads a workspace's cards, each at most once a minute unless a newer one is requested. */
export type CardReader = {
  /** @throws NotConnectedError; DesignApiError if there is no older card to return instead */
  read(workspaceId: WorkspaceId, cardId: string, demand: CardDemand): Promise<CardReading>;
  /**
   * What this process read last, however old, without a call. Undefined if nothing is known, or there is no usable key.
   */
  peek(workspaceId: WorkspaceId, cardId: string): Promise<CardReading | undefined>;
  /** The same, or what another replica has read since. Costs one query. */
  peekNewest(workspaceId: WorkspaceId, cardId: string): Promise<CardReading | undefined>;
  /**
   * Reads a card again because a person asked for it. If that was done in the last ten seconds, returns the same
   * result with `isRepeated`.
   *
   * @throws like `read`
   */
  refresh(
    workspaceId: WorkspaceId,
    cardId: string,
  ): Promise<CardReading & { isRepeated?: boolean }>;
  /** Invalidates a card, including that it doesn't exist. */
  forgetCard(key: CacheKey): Promise<void>;
  /** Invalidates all cards of the workspace. */
  forget(workspaceId: WorkspaceId): void;
};

/** Long enough for the composer preview and the posted link to share one call. */
export const CARD_FRESH_MS = 60_000;
/** How often a card is read again if someone keeps pressing Refresh. */
const REFRESHED_EVERY_MS = 10_000;
const REMEMBERED_REFRESHES = 10_000;
/** A card that can't be read again is shown with its age for an hour. */
const CARDS = answerKind('cards', card, 60 * 60_000);
/** Several thousand ordinary cards. The service's largest answers (1 MiB) fit, too. */
const MAX_CHARACTERS = 32 * 1024 * 1024;
/** For one read with its retries. */
const READ_TIMEOUT_MS = 10_000;

/**
 * @param deps.entries where replicas share what they have read; undefined if there can't be others
 * @param deps.onRead called with each card that the service returns; never rejects
 */
export function createCardReader(deps: {
  service: ServiceAccess;
  now: () => Date;
  metrics: Pick<Metrics, 'cache'>;
  entries?: Entries | undefined;
  log: Log;
  onRead?: (workspaceId: WorkspaceId, card: Card) => Promise<void>;
}): CardReader {
  const { service, now, metrics, entries, log, onRead } = deps;
  const cards = createReadCache<Card>({
    ...{ kind: CARDS, entries, now, log },
    maxCharacters: MAX_CHARACTERS,
    refusals: ['not_found', 'forbidden'],
    call: ({ session, workspaceId, id }, callClass, begun) =>
      session.call(async (api) => {
        begun();
        const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
        const card = await api.getCard(id, { callClass, signal });
        // Under the ID with which it was asked for, which is also that of its links.
        await onRead?.(workspaceId, { ...card, id });
        return card;
      }),
    count: (answer) => metrics.cache('cards', answer),
  });

  const refreshes = new LRUCache<string, { at: Date; failure?: unknown }>({
    ...atMost(REMEMBERED_REFRESHES),
    ...forAtMost(REFRESHED_EVERY_MS, now),
  });
  async function keyOf(workspaceId: WorkspaceId, id: string): Promise<ReadableCacheKey> {
    const session = await service.open(workspaceId);
    return { workspaceId, fingerprint: session.fingerprint, id, session };
  }

  const keyIfAny = (workspaceId: WorkspaceId, id: string) =>
    keyOf(workspaceId, id).catch((error: unknown) => {
      if (error instanceof NotConnectedError) return undefined;
      throw error;
    });

  async function readByKey(
    key: ReadableCacheKey,
    demand: CardDemand & Pick<Demand, 'failure'>,
  ): Promise<CardReading> {
    const since = demand.since ?? new Date(now().getTime() - CARD_FRESH_MS);
    return toCardReading(await cards.read(key, { ...demand, since }));
  }

  async function refresh(workspaceId: WorkspaceId, cardId: string) {
    const key = await keyOf(workspaceId, cardId);
    const entry = JSON.stringify([workspaceId, key.fingerprint, cardId]);
    const last = refreshes.get(entry);
    const asked: { at: Date; failure?: unknown } = last ?? { at: now() };
    if (!last) refreshes.set(entry, asked);
    try {
      const demand = { class: 'person' as const, since: asked.at, failure: asked.failure };
      const reading = await readByKey(key, demand);
      if ('trouble' in reading) asked.failure = reading.trouble;
      return last ? { ...reading, isRepeated: true } : reading;
    } catch (error) {
      asked.failure = error;
      throw error;
    }
  }

  return {
    read: async (workspaceId, cardId, demand) =>
      readByKey(await keyOf(workspaceId, cardId), demand),
    async peek(workspaceId, cardId) {
      const key = await keyIfAny(workspaceId, cardId);
      const known = key && cards.peek(key);
      return known && toCardReading(known);
    },
    async peekNewest(workspaceId, cardId) {
      const key = await keyIfAny(workspaceId, cardId);
      if (!key) return undefined;
      const newest = await cards.lookUp(key);
      return newest && toCardReading(newest);
    },
    refresh,
    forgetCard: cards.drop,
    forget: (workspaceId) => void cards.forget(workspaceId),
  };
}

function toCardReading(reading: ReadResult<Card>): CardReading {
  const { readAt, trouble } = reading;
  if ('refused' in reading) return { unreadable: reading.refused, readAt };
  return { card: reading.value, readAt, ...(trouble ? { trouble } : {}) };
}

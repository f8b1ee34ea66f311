import { LRUCache } from 'lru-cache';
import { forwardOnly } from '../../clock.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Metrics } from '../../ops/metrics.ts';
import type { CallClass } from '../budget/call-class.ts';
import type { DesignApiError } from '../errors.ts';
import type { Card } from '../operations/schemas.ts';
import type { ServiceAccess } from '../service-access.ts';
import { type ReadableCacheKey, readOnce, type SharedCache, type Source } from './cached-value.ts';
import { createReadCache, type ReadResult } from './read-cache.ts';

/**
 * A card, or that this workspace can't read it, and when the service was asked. `trouble` is why the
 * card is older than was asked for: the service could not be asked again.
 */
export type CardReading = { readAt: Date } & (
  | { card: Card; trouble?: DesignApiError }
  | { unreadable: 'not_found' | 'forbidden' }
);

export type CardDemand = {
  /** Who waits for it. */
  class: CallClass;
  /** A reading of an earlier moment is too old; unless given, one of a minute ago. */
  since?: Date;
  /** Gives what is too old at once, and reads it again behind. */
  allowStale?: boolean;
};

/** Reads cards of a workspace, each at most once a minute unless somebody asks for newer. */
export type CardReader = {
  /** @throws NotConnectedError; DesignApiError where nothing that was read before can be given */
  read(workspaceId: WorkspaceId, cardId: string, demand: CardDemand): Promise<CardReading>;
  /**
   * Reads a card afresh, because a person asked for that. Asked again within ten seconds, what came
   * of it then, and `isRepeated`.
   *
   * @throws as `read` does
   */
  refresh(
    workspaceId: WorkspaceId,
    cardId: string,
  ): Promise<CardReading & { isRepeated?: boolean }>;
  /** What was read of a card is not used any more, such as that it does not exist. */
  forgetCard(workspaceId: WorkspaceId, cardId: string): Promise<void>;
  /** The same for every card of the workspace. */
  forget(workspaceId: WorkspaceId): void;
};

/** The composer's preview of a link pays for the link once it is posted. */
export const CARD_FRESH_MS = 60_000;
/** Somebody who presses Refresh again sees the card as just read. */
const REFRESHED_EVERY_MS = 10_000;
const REMEMBERED_REFRESHES = 10_000;
/** A card that can't be read again is shown as it was, with its age, for this long. */
const KEPT_FOR_MS = 60 * 60_000;
/** Some thousands of ordinary cards; the service's largest answers (4 MiB) fit, too. */
const MOST_CHARACTERS = 32 * 1024 * 1024;
/** Retries included, the service has this long to answer. */
const ANSWER_WITHIN_MS = 10_000;

/**
 * Cards in memory over the service.
 *
 * @param deps.shared cards that several replicas share, put in front of the service
 */
export function createCardReader(deps: {
  service: ServiceAccess;
  now: () => Date;
  metrics: Pick<Metrics, 'cache'>;
  shared?: SharedCache<Card> | undefined;
}): CardReader {
  const { service, now, metrics, shared } = deps;
  const fromService: Source<Card> = ({ key, class: callClass }) =>
    readOnce(now, ['not_found', 'forbidden'], (begun) =>
      key.session.call(
        (api) => {
          begun();
          return api.getCard(key.id, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
        },
        { class: callClass },
      ),
    );
  const cards = createReadCache<Card>({
    source: shared ? shared.through(fromService) : fromService,
    mostCharacters: MOST_CHARACTERS,
    keptForMs: KEPT_FOR_MS,
    now,
    count: (answer) => metrics.cache('cards', answer),
  });

  const refreshes = new LRUCache<string, { at: Date; trouble?: unknown }>({
    max: REMEMBERED_REFRESHES,
    ttl: REFRESHED_EVERY_MS,
    perf: { now: forwardOnly(now) },
    ttlResolution: 0,
  });
  async function keyOf(workspaceId: WorkspaceId, id: string): Promise<ReadableCacheKey> {
    const session = await service.open(workspaceId);
    return { workspaceId, fingerprint: session.fingerprint, id, session };
  }

  async function readByKey(key: ReadableCacheKey, demand: CardDemand): Promise<CardReading> {
    const since = demand.since ?? new Date(now().getTime() - CARD_FRESH_MS);
    return toCardReading(await cards.read(key, { ...demand, since }));
  }

  async function refresh(workspaceId: WorkspaceId, cardId: string) {
    const key = await keyOf(workspaceId, cardId);
    const entry = JSON.stringify([workspaceId, key.fingerprint, cardId]);
    const last = refreshes.get(entry);
    if (last?.trouble) throw last.trouble;
    if (last) {
      const reading = await readByKey(key, { class: 'person', since: last.at });
      return { ...reading, isRepeated: true };
    }
    const asked: { at: Date; trouble?: unknown } = { at: now() };
    refreshes.set(entry, asked);
    try {
      const reading = await readByKey(key, { class: 'person', since: asked.at });
      if ('trouble' in reading) asked.trouble = reading.trouble;
      return reading;
    } catch (error) {
      asked.trouble = error;
      throw error;
    }
  }

  return {
    read: async (workspaceId, cardId, demand) =>
      readByKey(await keyOf(workspaceId, cardId), demand),
    refresh,
    async forgetCard(workspaceId, cardId) {
      // Without a key nothing of the workspace is given anyway.
      const key = await keyOf(workspaceId, cardId).catch(() => undefined);
      if (!key) return;
      cards.drop(key);
      await shared?.drop(key);
    },

    forget(workspaceId) {
      cards.forget(workspaceId);
      void shared?.forget(workspaceId);
    },
  };
}

function toCardReading(reading: ReadResult<Card>): CardReading {
  const { readAt, trouble } = reading;
  if ('refused' in reading) return { unreadable: reading.refused, readAt };
  return { card: reading.value, readAt, ...(trouble ? { trouble } : {}) };
}

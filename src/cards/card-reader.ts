import { LRUCache } from 'lru-cache';
import type { CallClass } from '../design-api/call-class.ts';
import type { DesignApi } from '../design-api/client.ts';
import { DesignApiError } from '../design-api/errors.ts';
import type { Card } from '../design-api/schemas.ts';
import type { ServiceAccess } from '../workspaces/service-access.ts';

/** A card, or that this workspace can't read it. */
export type CardReading = { card: Card } | { unreadable: 'not_found' | 'forbidden' };

/** Reads cards of a workspace, each at most once a minute unless somebody asks for it afresh. */
export type CardReader = {
  /**
   * @param options.class who waits for it: a person, where nothing is said
   * @throws NotConnectedError, DesignApiError for everything but a card that can't be read
   */
  read(
    workspaceId: string,
    cardId: string,
    options?: { fresh?: boolean; class?: CallClass },
  ): Promise<CardReading>;
  /** What was read so far, and what is being read, is not used any more. */
  forget(workspaceId: string): void;
};

/** The composer's preview of a link pays for the link once it is posted. */
const FRESH_MS = 60_000;
/** Retries included, the service has this long to answer. */
const ANSWER_WITHIN_MS = 10_000;
const KEPT_CARDS = 2_000;

type Wanted = { workspaceId: string; cardId: string; callClass: CallClass };

export function createCardReader(service: ServiceAccess): CardReader {
  const readings = new LRUCache<string, CardReading, Wanted>({
    max: KEPT_CARDS,
    ttl: FRESH_MS,
    fetchMethod: async (_entry, _stale, { context }) => {
      const { workspaceId, cardId, callClass } = context;
      try {
        const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
        const get = (api: DesignApi) => api.getCard(cardId, { signal });
        return { card: await service.call(workspaceId, get, { class: callClass }) };
      } catch (error) {
        if (!(error instanceof DesignApiError)) throw error;
        if (error.code !== 'not_found' && error.code !== 'forbidden') throw error;
        return { unreadable: error.code };
      }
    },
  });
  /** How often a workspace was forgotten: an answer that is still on its way then comes too late. */
  const generations = new Map<string, number>();
  const generationOf = (workspaceId: string) => generations.get(workspaceId) ?? 0;

  // A workspace id holds no slash, so no card id can reach into another workspace's entries.
  const entryOf = (workspaceId: string, cardId: string) =>
    `${workspaceId}/${generationOf(workspaceId)}/${cardId}`;

  return {
    read: (workspaceId, cardId, options) =>
      readings.forceFetch(entryOf(workspaceId, cardId), {
        context: { workspaceId, cardId, callClass: options?.class ?? 'person' },
        forceRefresh: options?.fresh ?? false,
      }),

    forget(workspaceId) {
      const prefix = entryOf(workspaceId, '');
      for (const entry of readings.keys()) if (entry.startsWith(prefix)) readings.delete(entry);
      generations.set(workspaceId, generationOf(workspaceId) + 1);
    },
  };
}

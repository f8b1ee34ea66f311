import { LRUCache } from 'lru-cache';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Metrics } from '../../ops/metrics.ts';
import type { CallClass } from '../budget/call-class.ts';
import type { DesignApi, ReadOptions } from '../client.ts';
import { DesignApiError, isPassing } from '../errors.ts';
import type { Brand, RequestType, Tag } from '../operations/schemas.ts';
import type { ServiceAccess } from '../service-access.ts';
import { type ReadableCacheKey, readOnce } from './cached-value.ts';
import { createReadCache, type Demand, type ReadCache } from './read-cache.ts';

/** The choices in the form. */
export type FormOptions = {
  requestTypes: RequestType[];
  /** Undefined if they can't be read: the form works without a brand. */
  brands: Brand[] | undefined;
  /** The brands may be readable later. */
  brandsPending?: boolean;
};

/**
 * A workspace's reference lists: request types, brands, and tags. They are cached, and shown even if stale,
 * while they are revalidated in the background.
 */
export type Catalogue = {
  requestTypes(workspaceId: WorkspaceId): Promise<RequestType[]>;
  /** @param callClass who waits for them if they have to be read; by default a person */
  brands(workspaceId: WorkspaceId, callClass?: CallClass): Promise<Brand[]>;
  tags(workspaceId: WorkspaceId): Promise<Tag[]>;
  /**
   * @param options.isRetry whether this is a job that retries for an open form. It leaves calls to people, and
   *   obeys the breaker
   * @throws what `requestTypes` throws. A failure to list brands is part of the result
   */
  formOptions(workspaceId: WorkspaceId, options?: { isRetry?: boolean }): Promise<FormOptions>;
  /** Returns what is cached, however old, without a call; undefined if the form needs the service first. */
  peekFormOptions(workspaceId: WorkspaceId): Promise<FormOptions | undefined>;
  /** Reads what the form needs, so that it opens complete, and keeps it fresh from then on. */
  warm(workspaceId: WorkspaceId): Promise<void>;
  /** Refreshes the lists of every workspace that was warmed or has opened a form. */
  warmAgain(): Promise<void>;
  /** Invalidates everything of the workspace, including reads in progress. */
  forget(workspaceId: WorkspaceId): void;
};

/** Lists rarely change. */
const FRESH_MS = 10 * 60_000;
/** Someone who sees an empty list of request types will add some soon. */
const EMPTY_FRESH_MS = 1_000;
/** For one read with its retries, while a person waits. */
const READ_TIMEOUT_MS = 10_000;
/** After a failure, only people's calls read the list again immediately. */
const PAUSE_AFTER_FAILURE_MS = 60_000;
/** Per kind of list: several hundred large ones. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
const KEPT_WARM = 1_000;

export function createCatalogue(deps: {
  service: ServiceAccess;
  now: () => Date;
  metrics: Pick<Metrics, 'cache'>;
}): Catalogue {
  const { service, now, metrics } = deps;
  const warmed = new LRUCache<WorkspaceId, true>({ max: KEPT_WARM });

  function cached<Item>(
    name: string,
    list: (api: DesignApi, options: ReadOptions) => Promise<Item[]>,
  ): ReadCache<Item[]> {
    return createReadCache<Item[]>({
      source: ({ key, class: callClass }) =>
        // Lists always exist, so a 404 means that the service is failing.
        readOnce(now, ['forbidden'], (begun) =>
          key.session.call(
            (api) => {
              begun();
              return list(api, { signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
            },
            { class: callClass },
          ),
        ),
      maxCharacters: MAX_CHARACTERS,
      pauseAfterFailureMs: PAUSE_AFTER_FAILURE_MS,
      now,
      count: (answer) => metrics.cache(name, answer),
    });
  }
  const requestTypes = cached('request_types', (api, options) => api.listRequestTypes(options));
  const brands = cached('brands', (api, options) => api.listBrands(options));
  const tags = cached('tags', (api, options) => api.listTags(options));

  async function keyOf(workspaceId: WorkspaceId): Promise<ReadableCacheKey> {
    const session = await service.open(workspaceId);
    return { workspaceId, fingerprint: session.fingerprint, id: '', session };
  }

  async function read<Item>(
    lists: ReadCache<Item[]>,
    key: ReadableCacheKey,
    demand: Partial<Demand> = {},
  ): Promise<Item[]> {
    const since = new Date(now().getTime() - FRESH_MS);
    const usual = { class: 'person', since, allowStale: true } as const;
    const reading = await lists.read(key, { ...usual, ...demand });
    if ('value' in reading) return reading.value;
    throw new DesignApiError({
      code: reading.refused,
      operation: 'list',
      message: `list: was refused at ${reading.readAt.toISOString()}`,
    });
  }

  async function readTypes(
    key: ReadableCacheKey,
    demand: Partial<Demand> = {},
  ): Promise<RequestType[]> {
    const types = await read(requestTypes, key, demand);
    if (types.length > 0) return types;
    const since = new Date(now().getTime() - EMPTY_FRESH_MS);
    return read(requestTypes, key, { ...demand, since, allowStale: false });
  }

  async function readFormOptions(
    key: ReadableCacheKey,
    demand: Partial<Demand> = {},
  ): Promise<FormOptions> {
    const reading = readTypes(key, demand);
    // With an open breaker only one trial call is made at a time.
    if (demand.isRetry) await reading;
    const [types, brandList] = await Promise.all([
      reading,
      read(brands, key, demand).catch((error: unknown) => ({ brandsPending: isPassing(error) })),
    ]);
    const listed = Array.isArray(brandList)
      ? { brands: brandList }
      : { brands: undefined, ...brandList };
    return { requestTypes: types, ...listed };
  }

  /** If it fails, the next form opens in its loading state. */
  async function warm(workspaceId: WorkspaceId): Promise<void> {
    warmed.set(workspaceId, true);
    const demand = { class: 'background', allowStale: false } as const;
    await keyOf(workspaceId)
      .then((key) => readFormOptions(key, demand))
      .catch(() => undefined);
  }

  return {
    requestTypes: async (id) => read(requestTypes, await keyOf(id)),
    brands: async (id, callClass = 'person') => read(brands, await keyOf(id), { class: callClass }),
    tags: async (id) => read(tags, await keyOf(id)),
    async formOptions(id, { isRetry = false } = {}) {
      warmed.set(id, true);
      return readFormOptions(await keyOf(id), isRetry ? { class: 'posted', isRetry } : {});
    },

    async peekFormOptions(id) {
      // Without a known key, nothing that was read before may be shown.
      const key = await keyOf(id).catch(() => undefined);
      const types = key && requestTypes.peek(key);
      if (!types || !('value' in types) || types.value.length === 0) return undefined;
      const brandList = brands.peek(key);
      warmed.set(id, true);
      // Revalidates them if they are stale.
      readFormOptions(key, { class: 'background' }).catch(() => undefined);
      return {
        requestTypes: types.value,
        brands: brandList && 'value' in brandList ? brandList.value : undefined,
        ...(brandList ? {} : { brandsPending: true }),
      };
    },

    warm,
    async warmAgain() {
      // Sequentially, since nobody waits for it.
      for (const id of [...warmed.keys()]) await warm(id);
    },

    forget(id) {
      warmed.delete(id);
      for (const lists of [requestTypes, brands, tags]) lists.forget(id);
    },
  };
}

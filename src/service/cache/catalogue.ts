import { LRUCache } from 'lru-cache';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Metrics } from '../../ops/metrics.ts';
import type { CallClass } from '../budget/call-class.ts';
import type { DesignApi, ReadOptions } from '../client.ts';
import { DesignApiError, isPassing } from '../errors.ts';
import type { Brand, RequestType, Tag } from '../operations/schemas.ts';
import type { ServiceAccess } from '../service-access.ts';
import { type CacheKey, type ReadableCacheKey, readOnce } from './cached-value.ts';
import { createReadCache, type Demand, type ReadCache } from './read-cache.ts';

/** The choices in the form. */
export type FormOptions = {
  requestTypes: RequestType[];
  /** Undefined if they can't be read: the form works without a brand. */
  brands: Brand[] | undefined;
  /** The brands may be readable later. */
  brandsPending?: boolean;
};

type OpenedFormOptions = {
  /** Undefined if the form needs the service first. */
  known: FormOptions | undefined;
  /** @throws as `formOptions` does */
  read(): Promise<FormOptions>;
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
  /**
   * Looks up the key once for everything that a form needs: what is cached, however old, and a way to read the
   * rest.
   *
   * @throws NotConnectedError if the workspace has no usable key
   */
  openFormOptions(workspaceId: WorkspaceId): Promise<OpenedFormOptions>;
  /**
   * Returns what the workspace's last form was filled from, if it is still cached. The key isn't looked up, so
   * this is only for a form that is open already.
   */
  peekFormOptions(workspaceId: WorkspaceId): FormOptions | undefined;
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
  /** The workspaces, with the fingerprint of the key that their lists were read with last. */
  const warmed = new LRUCache<WorkspaceId, string>({ max: KEPT_WARM });

  function cached<Item>(
    name: string,
    list: (api: DesignApi, options: ReadOptions) => Promise<Item[]>,
  ): ReadCache<Item[]> {
    return createReadCache<Item[]>({
      source: ({ key, class: callClass }) =>
        // Lists always exist, so a 404 means that the service is failing.
        readOnce(now, ['forbidden'], (begun) =>
          key.session.call((api) => {
            begun();
            return list(api, { callClass, signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
          }),
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

  async function formKeyOf(workspaceId: WorkspaceId): Promise<ReadableCacheKey> {
    const key = await keyOf(workspaceId);
    warmed.set(workspaceId, key.fingerprint);
    return key;
  }

  function peek(key: CacheKey): FormOptions | undefined {
    const types = requestTypes.peek(key);
    if (!types || !('value' in types) || types.value.length === 0) return undefined;
    const brandList = brands.peek(key);
    return {
      requestTypes: types.value,
      brands: brandList && 'value' in brandList ? brandList.value : undefined,
      ...(brandList ? {} : { brandsPending: true }),
    };
  }

  /** If it fails, the next form opens in its loading state. */
  async function warm(workspaceId: WorkspaceId): Promise<void> {
    const demand = { class: 'background', allowStale: false } as const;
    await formKeyOf(workspaceId)
      .then((key) => readFormOptions(key, demand))
      .catch(() => undefined);
  }

  return {
    requestTypes: async (id) => read(requestTypes, await keyOf(id)),
    brands: async (id, callClass = 'person') => read(brands, await keyOf(id), { class: callClass }),
    tags: async (id) => read(tags, await keyOf(id)),
    formOptions: async (id, { isRetry = false } = {}) =>
      readFormOptions(await formKeyOf(id), isRetry ? { class: 'posted', isRetry } : {}),

    async openFormOptions(id) {
      const key = await formKeyOf(id);
      const known = peek(key);
      // Revalidates them if they are stale.
      if (known) readFormOptions(key, { class: 'background' }).catch(() => undefined);
      return { known, read: () => readFormOptions(key) };
    },

    peekFormOptions(id) {
      const fingerprint = warmed.get(id);
      return fingerprint === undefined ? undefined : peek({ workspaceId: id, fingerprint, id: '' });
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

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

/** What the form is filled from. */
export type FormOptions = {
  requestTypes: RequestType[];
  /** Undefined where the service would not list them: the form works without a brand. */
  brands: Brand[] | undefined;
  /** The brands could not be read so far, or for now; whoever asks for them later may. */
  brandsPending?: boolean;
};

/**
 * What the service offers a workspace: request types, brands, tags. Kept in memory; what is old is
 * given all the same, and read again behind.
 */
export type Catalogue = {
  requestTypes(workspaceId: WorkspaceId): Promise<RequestType[]>;
  /** @param callClass who waits for them, where they have to be read: a person unless given */
  brands(workspaceId: WorkspaceId, callClass?: CallClass): Promise<Brand[]>;
  tags(workspaceId: WorkspaceId): Promise<Tag[]>;
  /**
   * @param options.isRetry if this was tried before for someone who still waits: it leaves calls to those who
   *   come now, and spares a service that is unwell
   * @throws what `requestTypes` throws; a failure to list brands is in the result
   */
  formOptions(workspaceId: WorkspaceId, options?: { isRetry?: boolean }): Promise<FormOptions>;
  /** What is in memory, however old, without a call; undefined where the form needs the service first. */
  peekFormOptions(workspaceId: WorkspaceId): Promise<FormOptions | undefined>;
  /** Reads what the form needs, so that the next one opens complete, and keeps it from growing old. */
  warm(workspaceId: WorkspaceId): Promise<void>;
  /** Does that for every workspace that was warmed or opened a form. */
  warmAgain(): Promise<void>;
  /** What was read so far, and what is being read, is not used any more. */
  forget(workspaceId: WorkspaceId): void;
};

/** Lists change seldom. */
const FRESH_MS = 10 * 60_000;
/** That there are no request types at all is soon mended by whoever sees it. */
const EMPTY_FRESH_MS = 1_000;
/** A person is waiting: retries included, the service has this long to answer. */
const ANSWER_WITHIN_MS = 10_000;
/** A list that only decorates something, such as a brand's name, is not asked for in a loop. */
const PAUSE_AFTER_FAILURE_MS = 60_000;
/** Of each kind of list: some hundreds of large ones. */
const MOST_CHARACTERS = 16 * 1024 * 1024;
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
        // A list is nowhere said to be missing: where it is, the service is in trouble.
        readOnce(now, ['forbidden'], (begun) =>
          key.session.call(
            (api) => {
              begun();
              return list(api, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
            },
            { class: callClass },
          ),
        ),
      mostCharacters: MOST_CHARACTERS,
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
    // One call finds out whether a service that was unwell is well again; the other would be held back.
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

  /** A form that opens before it worked opens loading. */
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
      // Without a key, or where that can't be found out, nothing that was read may be shown.
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
      // One after the other: nobody waits for it.
      for (const id of [...warmed.keys()]) await warm(id);
    },

    forget(id) {
      warmed.delete(id);
      for (const lists of [requestTypes, brands, tags]) lists.forget(id);
    },
  };
}

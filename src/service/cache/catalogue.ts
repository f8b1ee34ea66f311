import { LRUCache } from 'lru-cache';
import { upTo } from '../bounded.ts';
import type { CallClass } from '../design-api/call-class.ts';
import type { DesignApi, ReadOptions } from '../design-api/client.ts';
import { DesignApiError } from '../design-api/errors.ts';
import { readOnce } from '../design-api/reading.ts';
import { createReadingCache, type Demand, type ReadingCache } from '../design-api/reading-cache.ts';
import type { Brand, RequestType, Tag } from '../design-api/schemas.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { ServiceAccess } from '../workspaces/service-access.ts';
import type { WorkspaceId } from '../workspaces/workspace-id.ts';

/** What the form is filled from. */
export type FormOptions = {
  requestTypes: RequestType[];
  /** Undefined where the service would not list them: the form works without a brand. */
  brands: Brand[] | undefined;
  /** Nobody could read the brands so far; whoever asks for them now may. */
  brandsFollow?: boolean;
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
  /** @throws what `requestTypes` throws; a failure to list brands is in the result */
  formOptions(workspaceId: WorkspaceId): Promise<FormOptions>;
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
  const warmed = new LRUCache<WorkspaceId, true>(upTo(KEPT_WARM));

  function cached<Item>(
    name: string,
    list: (api: DesignApi, options: ReadOptions) => Promise<Item[]>,
  ): ReadingCache<Item[]> {
    return createReadingCache<Item[]>({
      source: ({ key, class: callClass }) =>
        // A list is nowhere said to be missing: where it is, the service is in trouble.
        readOnce(now, ['forbidden'], (begun) =>
          service.call(
            key.workspaceId,
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

  const keyOf = async (workspaceId: WorkspaceId) => ({
    workspaceId,
    fingerprint: await service.keyInUse(workspaceId),
    id: '',
  });

  async function read<Item>(
    lists: ReadingCache<Item[]>,
    workspaceId: WorkspaceId,
    demand: Partial<Demand> = {},
  ): Promise<Item[]> {
    const since = new Date(now().getTime() - FRESH_MS);
    const usual = { class: 'person', since, olderAtOnce: true } as const;
    const reading = await lists.read(await keyOf(workspaceId), { ...usual, ...demand });
    if ('value' in reading) return reading.value;
    throw new DesignApiError({
      code: reading.refused,
      operation: 'list',
      message: `list: was refused at ${reading.readAt.toISOString()}`,
    });
  }

  async function readTypes(
    workspaceId: WorkspaceId,
    demand: Partial<Demand>,
  ): Promise<RequestType[]> {
    const types = await read(requestTypes, workspaceId, demand);
    if (types.length > 0) return types;
    const since = new Date(now().getTime() - EMPTY_FRESH_MS);
    return read(requestTypes, workspaceId, { ...demand, since, olderAtOnce: false });
  }

  async function formOptions(
    workspaceId: WorkspaceId,
    demand: Partial<Demand> = {},
  ): Promise<FormOptions> {
    warmed.set(workspaceId, true);
    const [types, brandList] = await Promise.all([
      readTypes(workspaceId, demand),
      read(brands, workspaceId, demand).catch(() => undefined),
    ]);
    return { requestTypes: types, brands: brandList };
  }

  /** A form that opens before it worked opens loading. */
  async function warm(workspaceId: WorkspaceId): Promise<void> {
    const demand = { class: 'background', olderAtOnce: false } as const;
    await formOptions(workspaceId, demand).catch(() => undefined);
  }

  return {
    requestTypes: (id) => read(requestTypes, id),
    brands: (id, callClass = 'person') => read(brands, id, { class: callClass }),
    tags: (id) => read(tags, id),
    formOptions: (id) => formOptions(id),

    async peekFormOptions(id) {
      // Without a key, or where that can't be found out, nothing that was read may be shown.
      const key = await keyOf(id).catch(() => undefined);
      const types = key && requestTypes.peek(key);
      if (!types || !('value' in types) || types.value.length === 0) return undefined;
      const brandList = brands.peek(key);
      // Where they are old, this reads them again behind.
      formOptions(id, { class: 'background' }).catch(() => undefined);
      return {
        requestTypes: types.value,
        brands: brandList && 'value' in brandList ? brandList.value : undefined,
        ...(brandList ? {} : { brandsFollow: true }),
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

import { LRUCache } from 'lru-cache';
import type { Brand, RequestType, Tag } from '../design-api/schemas.ts';
import type { ServiceAccess } from '../workspaces/service-access.ts';

/** What the form is filled from. */
export type FormOptions = {
  requestTypes: RequestType[];
  /** Undefined where the service would not list them: the form works without a brand. */
  brands: Brand[] | undefined;
};

/** What the service offers a workspace: request types, brands, tags. Kept in memory, refreshed behind. */
export type Catalogue = {
  requestTypes(workspaceId: string): Promise<RequestType[]>;
  brands(workspaceId: string): Promise<Brand[]>;
  tags(workspaceId: string): Promise<Tag[]>;
  /** @throws what `requestTypes` throws; a failure to list brands is in the result */
  formOptions(workspaceId: string): Promise<FormOptions>;
  /** What is in memory, however old, at once; undefined where the form needs the service first. */
  peekFormOptions(workspaceId: string): FormOptions | undefined;
  /** What was read so far, and what is being read, is not used any more. */
  forget(workspaceId: string): void;
};

/** Lists change seldom; older ones are still shown, and refreshed behind. */
const FRESH_MS = 10 * 60_000;
/** A person is waiting: retries included, the service has this long to answer. */
const ANSWER_WITHIN_MS = 10_000;
const KEPT_WORKSPACES = 1_000;

export function createCatalogue(service: ServiceAccess): Catalogue {
  function cached<Item>(load: (workspaceId: string) => Promise<Item[]>) {
    return new LRUCache<string, Item[], { workspaceId: string }>({
      max: KEPT_WORKSPACES,
      ttl: FRESH_MS,
      fetchMethod: (_entry, _stale, { context }) => load(context.workspaceId),
      allowStale: true,
      noDeleteOnStaleGet: true,
      noDeleteOnFetchRejection: true,
    });
  }
  const soon = () => ({ signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  const requestTypes = cached((id) => service.call(id, (api) => api.listRequestTypes(soon())));
  const brands = cached((id) => service.call(id, (api) => api.listBrands(soon())));
  const tags = cached((id) => service.call(id, (api) => api.listTags(soon())));

  /** How often a workspace was forgotten: an answer that is still on its way then comes too late. */
  const generations = new Map<string, number>();
  const entryOf = (id: string) => `${id}/${generations.get(id) ?? 0}`;
  type Cached<Item> = ReturnType<typeof cached<Item>>;
  const read = <Item>(cache: Cached<Item>, workspaceId: string) =>
    cache.forceFetch(entryOf(workspaceId), { context: { workspaceId } });

  return {
    requestTypes: (id) => read(requestTypes, id),
    brands: (id) => read(brands, id),
    tags: (id) => read(tags, id),

    async formOptions(id) {
      const [types, brandList] = await Promise.all([
        read(requestTypes, id),
        read(brands, id).catch(() => undefined),
      ]);
      return { requestTypes: types, brands: brandList };
    },

    peekFormOptions(id) {
      const types = requestTypes.get(entryOf(id));
      if (!types) return undefined;
      // Where they are old, this refreshes them behind; a failure there leaves the old ones.
      void Promise.allSettled([read(requestTypes, id), read(brands, id)]);
      return { requestTypes: types, brands: brands.get(entryOf(id)) };
    },

    forget(id) {
      const entry = entryOf(id);
      // Only what has been read: to delete what is being read would fail whoever waits for it.
      for (const cache of [requestTypes, brands, tags]) if (cache.peek(entry)) cache.delete(entry);
      generations.set(id, (generations.get(id) ?? 0) + 1);
    },
  };
}

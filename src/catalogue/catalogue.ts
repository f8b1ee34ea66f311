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
  forget(workspaceId: string): void;
};

/** Lists change seldom; older ones are still shown, and refreshed behind. */
const FRESH_MS = 10 * 60_000;
/** A person is waiting: retries included, the service has this long to answer. */
const ANSWER_WITHIN_MS = 10_000;
const KEPT_WORKSPACES = 1_000;

export function createCatalogue(service: ServiceAccess): Catalogue {
  function cached<Item>(load: (workspaceId: string) => Promise<Item[]>) {
    return new LRUCache<string, Item[]>({
      max: KEPT_WORKSPACES,
      ttl: FRESH_MS,
      fetchMethod: load,
      allowStale: true,
      noDeleteOnStaleGet: true,
      noDeleteOnFetchRejection: true,
    });
  }
  const soon = () => ({ signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  const requestTypes = cached((id) => service.call(id, (api) => api.listRequestTypes(soon())));
  const brands = cached((id) => service.call(id, (api) => api.listBrands(soon())));
  const tags = cached((id) => service.call(id, (api) => api.listTags(soon())));

  return {
    requestTypes: (id) => requestTypes.forceFetch(id),
    brands: (id) => brands.forceFetch(id),
    tags: (id) => tags.forceFetch(id),

    async formOptions(id) {
      const [types, brandList] = await Promise.all([
        requestTypes.forceFetch(id),
        brands.forceFetch(id).catch(() => undefined),
      ]);
      return { requestTypes: types, brands: brandList };
    },

    peekFormOptions(id) {
      const types = requestTypes.get(id);
      if (!types) return undefined;
      // Where they are old, this refreshes them behind; a failure there leaves the old ones.
      void Promise.allSettled([requestTypes.fetch(id), brands.fetch(id)]);
      return { requestTypes: types, brands: brands.get(id) };
    },

    forget(id) {
      for (const cache of [requestTypes, brands, tags]) cache.delete(id);
    },
  };
}

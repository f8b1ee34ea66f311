import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { atMost } from '../../bounds.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { Metrics } from '../../ops/metrics/metrics.ts';
import { type Entries, entryKind } from '../../store/entries.ts';
import type { CallClass } from '../budget/call-class.ts';
import type { DesignApi, ReadOptions } from '../client.ts';
import { DesignApiError, isPassing } from '../errors.ts';
import {
  type Brand,
  brand,
  type RequestType,
  requestType,
  type Tag,
  tag,
} from '../operations/read-list.ts';
import { type NoKeyReason, NotConnectedError, type ServiceAccess } from '../service-access.ts';
import {
  answerKind,
  type CachedAnswer,
  type CacheKey,
  createReadCache,
  type Demand,
  type ReadableCacheKey,
  type ReadCache,
} from './read-cache.ts';

/** The choices in the form. */
export type FormOptions = {
  requestTypes: RequestType[];
  /** Undefined if they can't be read: the form works without a brand. */
  brands: Brand[] | undefined;
  /** The brands may be readable later. */
  brandsPending?: boolean;
  /** The first word of the two partner products, if a card has named one. */
  partnerName?: string | undefined;
  /** Why there is no usable key: these are the lists that were last known, or `UNLISTED_TYPE`. */
  withoutKey?: NoKeyReason;
};

/** For a form that is opened less often. Older lists are read again, while the form says that it is loading. */
const KEEP_LISTS_MS = 7 * 24 * 60 * 60_000;
const REQUEST_TYPES = answerKind('request_types', z.array(requestType), KEEP_LISTS_MS);
const BRANDS = answerKind('brands', z.array(brand), KEEP_LISTS_MS);
const TAGS = answerKind('tags', z.array(tag), KEEP_LISTS_MS);

/** The lists that were last read, for when the workspace has no usable key. */
const KNOWN_LISTS = entryKind(
  'known_lists',
  z.object({
    requestTypes: z.array(requestType),
    brands: z.array(brand),
    partnerName: z.string().optional(),
  }),
);

/** The first word of the partner products among names. */
export const partnerIn = (products: readonly string[]): string | undefined =>
  products.map((name) => /^(\S+) (?:Graphics|Plus)$/.exec(name)?.[1]).find(Boolean);

/** Stands for the request type while no types are known: the choice is made once a key is connected. */
export const UNLISTED_TYPE = 'unlisted';

type OpenedFormOptions = {
  /** Undefined if the form needs the service first. */
  cached: FormOptions | undefined;
  /** @throws as `formOptions` does */
  read(): Promise<FormOptions>;
};

/**
 * A workspace's reference lists: request types, brands, and tags. They are cached in memory and in the database, and
 * shown even if stale, while they are revalidated in the background.
 */
export type ReferenceLists = {
  requestTypes(workspaceId: WorkspaceId, callClass?: CallClass): Promise<RequestType[]>;
  /** @param callClass who waits for them if they have to be read; by default a person */
  brands(workspaceId: WorkspaceId, callClass?: CallClass): Promise<Brand[]>;
  tags(workspaceId: WorkspaceId): Promise<Tag[]>;
  /**
   * Without a usable key, returns the lists that were last known.
   *
   * @param options.isRetry whether this is a job that retries for an open form. It leaves calls to people, and
   *   obeys the breaker
   * @throws DesignApiError if the request types can't be read. A failure to list brands is part of the result
   */
  formOptions(workspaceId: WorkspaceId, options?: { isRetry?: boolean }): Promise<FormOptions>;
  /**
   * Looks up the key once for everything that a form needs: what is cached, however old, and a way to read the
   * rest. Without a usable key, these are the lists that were last known.
   */
  openFormOptions(workspaceId: WorkspaceId): Promise<OpenedFormOptions>;
  /**
   * Returns the lists that are cached, however old, without a call to the service. If they are in memory, the key isn't
   * looked up, so this is only for a form that is open already.
   */
  cachedFormOptions(workspaceId: WorkspaceId): Promise<FormOptions | undefined>;
  /** Remembers the partner's name, if a card's product says it and none did before. Never rejects. */
  noteProduct(workspaceId: WorkspaceId, product: string | undefined): Promise<void>;
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
/**
 * Per kind of list: the largest that the service may send, or a few hundred long ones. Objects take three to four times
 * as much memory as their text. All others are in the database.
 */
const MAX_CHARACTERS = 5 * 1024 * 1024;
const KEPT_WARM = 1_000;
/** Longer lists aren't stored. */
const MAX_KNOWN_CHARACTERS = 1024 * 1024;

export function createReferenceLists(deps: {
  service: ServiceAccess;
  now: () => Date;
  metrics: Pick<Metrics, 'cache'>;
  entries: Entries;
  log: Log;
}): ReferenceLists {
  const { service, now, metrics, entries, log } = deps;
  /** The workspaces, with the fingerprint of the key that their lists were read with last. */
  const warmed = new LRUCache<WorkspaceId, string>(atMost(KEPT_WARM));
  /** Digests of the stored lists. */
  const remembered = new LRUCache<WorkspaceId, string>(atMost(KEPT_WARM));
  /** The partner's name, as far as cards have said it; empty if none has. */
  const partners = new LRUCache<WorkspaceId, string>(atMost(KEPT_WARM));

  const cached = <Item>(
    kind: ReturnType<typeof answerKind<Item[]>>,
    list: (api: DesignApi, options: ReadOptions) => Promise<Item[]>,
  ) =>
    createReadCache<Item[]>({
      ...{ kind, entries, now, log },
      call: ({ session }, callClass, begun) =>
        session.call((api) => {
          begun();
          return list(api, { callClass, signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
        }),
      // Lists always exist, so a 404 means that the service is failing.
      refusals: ['forbidden'],
      maxCharacters: MAX_CHARACTERS,
      pauseAfterFailureMs: PAUSE_AFTER_FAILURE_MS,
      count: (answer) => metrics.cache(kind.kind, answer),
    });
  const requestTypes = cached(REQUEST_TYPES, (api, options) => api.listRequestTypes(options));
  const brands = cached(BRANDS, (api, options) => api.listBrands(options));
  const tags = cached(TAGS, (api, options) => api.listTags(options));

  const knownOf = (owner: WorkspaceId) => ({ kind: KNOWN_LISTS, owner, name: '' });

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
    const partnerName = await partnerOf(key.workspaceId);
    const options = { requestTypes: types, ...listed, partnerName };
    await remember(key.workspaceId, options);
    return options;
  }

  /** Stores the lists if they have changed. Never rejects: they are only for when there is no key. */
  async function remember(id: WorkspaceId, options: FormOptions): Promise<void> {
    const { requestTypes, brands, partnerName } = options;
    if (requestTypes.length === 0 || !brands) return;
    const lists = { requestTypes, brands, partnerName };
    const text = JSON.stringify(lists);
    if (text.length > MAX_KNOWN_CHARACTERS) return;
    const digest = createHash('sha256').update(text).digest('base64');
    if (remembered.get(id) === digest) return;
    try {
      await entries.put(knownOf(id), lists, now());
      remembered.set(id, digest);
    } catch (error) {
      log.warn({ err: error, workspace: id }, 'could not store the lists of a form');
    }
  }

  /** Looked up in the database once. Never rejects: the form works without it. */
  async function partnerOf(id: WorkspaceId): Promise<string | undefined> {
    try {
      const stored = partners.has(id) ? undefined : await entries.get(knownOf(id));
      const found = stored?.value.partnerName;
      // A card may have said it meanwhile.
      if (!partners.has(id)) partners.set(id, found ?? '');
    } catch (error) {
      log.warn({ err: error, workspace: id }, 'could not look up the lists of a form');
    }
    return partners.get(id) || undefined;
  }

  /** The lists that were last known, instead of an error about the key. */
  async function withoutKey(id: WorkspaceId, error: unknown): Promise<FormOptions> {
    const withoutKey = reasonOf(error);
    if (withoutKey === undefined) throw error;
    const stored = await entries.get(knownOf(id));
    return { ...(stored?.value ?? unlisted), withoutKey };
  }

  const unlisted: FormOptions = {
    requestTypes: [{ id: UNLISTED_TYPE, name: '', products: [], formats: [], softwares: [] }],
    brands: [],
  };

  async function formKeyOf(workspaceId: WorkspaceId): Promise<ReadableCacheKey> {
    const key = await keyOf(workspaceId);
    warmed.set(workspaceId, key.fingerprint);
    return key;
  }

  const load = async (key: CacheKey) =>
    optionsFrom(
      ...(await Promise.all([
        requestTypes.load(key),
        brands.load(key),
        partnerOf(key.workspaceId),
      ])),
    );

  const peek = (key: CacheKey) =>
    optionsFrom(requestTypes.peek(key), brands.peek(key), partners.get(key.workspaceId));

  async function openFormOptions(id: WorkspaceId): Promise<OpenedFormOptions> {
    const key = await formKeyOf(id).catch((error: unknown) => ({ error }));
    if ('error' in key) {
      const options = await withoutKey(id, key.error);
      return { cached: options, read: async () => options };
    }
    const cached = await load(key);
    // Revalidates them if they are stale.
    if (cached) readFormOptions(key, { class: 'background' }).catch(() => undefined);
    const read = () => readFormOptions(key).catch((error: unknown) => withoutKey(id, error));
    return { cached, read };
  }

  async function cachedFormOptions(id: WorkspaceId): Promise<FormOptions | undefined> {
    const fingerprint = warmed.get(id);
    const kept =
      fingerprint === undefined ? undefined : peek({ workspaceId: id, fingerprint, id: '' });
    return kept ?? (await openFormOptions(id)).cached;
  }

  /** If it fails, the next form opens in its loading state. */
  async function warm(workspaceId: WorkspaceId): Promise<void> {
    const demand = { class: 'background', allowStale: false } as const;
    await formKeyOf(workspaceId)
      .then((key) => readFormOptions(key, demand))
      .catch(() => undefined);
  }

  return {
    requestTypes: async (id, callClass = 'person') =>
      read(requestTypes, await keyOf(id), { class: callClass }),
    brands: async (id, callClass = 'person') => read(brands, await keyOf(id), { class: callClass }),
    tags: async (id) => read(tags, await keyOf(id)),
    async formOptions(id, { isRetry = false } = {}) {
      try {
        const key = await formKeyOf(id);
        return await readFormOptions(key, isRetry ? { class: 'posted', isRetry } : {});
      } catch (error) {
        return withoutKey(id, error);
      }
    },

    openFormOptions,

    cachedFormOptions,

    async noteProduct(id, product = '') {
      // “Motion Graphics” may be any product; only the partner's end with “Plus”.
      const partnerName = product.endsWith(' Plus') ? partnerIn([product]) : undefined;
      if (partnerName === undefined || (await partnerOf(id)) !== undefined) return;
      partners.set(id, partnerName);
      await cachedFormOptions(id)
        .then((options) => options && remember(id, { ...options, partnerName }))
        .catch(() => undefined);
    },

    warm,
    async warmAgain() {
      // Sequentially, since nobody waits for it.
      for (const id of [...warmed.keys()]) await warm(id);
    },

    forget(id) {
      warmed.delete(id);
      for (const lists of [requestTypes, brands, tags]) void lists.forget(id);
    },
  };
}

/** @returns undefined if there are no request types, without which the form can't be filled in */
function optionsFrom(
  types: CachedAnswer<RequestType[]> | undefined,
  brands: CachedAnswer<Brand[]> | undefined,
  partnerName: string | undefined,
): FormOptions | undefined {
  if (!types || !('value' in types) || types.value.length === 0) return undefined;
  return {
    requestTypes: types.value,
    brands: brands && 'value' in brands ? brands.value : undefined,
    ...(brands ? {} : { brandsPending: true }),
    partnerName: partnerName || undefined,
  };
}

/** @returns undefined if the error isn't about the key */
function reasonOf(error: unknown): NoKeyReason | undefined {
  if (error instanceof NotConnectedError) return error.reason;
  const isRejected = error instanceof DesignApiError && error.code === 'unauthorized';
  return isRejected ? 'key_rejected' : undefined;
}

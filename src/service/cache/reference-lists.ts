import { z } from 'zod';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { Metrics } from '../../ops/metrics/metrics.ts';
import { type Entries, entryKind } from '../../store/entries.ts';
import type { CallClass } from '../budget/call-class.ts';
import { DesignApiError, isTransient } from '../errors.ts';
import type { Resource } from '../http/call.ts';
import {
  BRANDS,
  type Brand,
  REQUEST_TYPES,
  type RequestType,
  TAGS,
} from '../operations/read-list.ts';
import { type NoKeyReason, NotConnectedError, type ServiceAccess } from '../service-access.ts';
import {
  createReadCache,
  type Demand,
  PAUSE_AFTER_FAILURE_MS,
  type ReadableCacheKey,
  type ReadCache,
  storedAnswer,
} from './read-cache.ts';

/** The choices in the form. */
export type FormOptions = {
  requestTypes: RequestType[];
  /** Undefined if they can't be read: the form works without a brand. */
  brands: Brand[] | undefined;
  /** The brands may be readable later. */
  brandsPending?: boolean | undefined;
  /** The first word of the two partner products: from the setting, a request type, or a card. The service refuses guesses. */
  partnerName?: string | undefined;
  /** Why there is no usable key: these are the lists that were last known, or `UNLISTED_TYPE`. */
  withoutKey?: NoKeyReason;
};

/** Stands for the request type while no types are known: the choice is made once a key is connected. */
export const UNLISTED_TYPE = 'unlisted';

const UNLISTED: RequestType = {
  id: UNLISTED_TYPE,
  name: '',
  products: [],
  formats: [],
  softwares: [],
};

/** Whether no request types are known, so that the form is completed later. */
export const isUnlisted = ({ requestTypes }: FormOptions): boolean =>
  requestTypes[0]?.id === UNLISTED_TYPE;

export const NO_OPTIONS: FormOptions = { requestTypes: [], brands: undefined };

const TYPE_LIST = entryKind('request_types', storedAnswer);
const BRAND_LIST = entryKind('brands', storedAnswer);
const TAG_LIST = entryKind('tags', storedAnswer);
const PARTNER_NAME = entryKind('partner_name', z.string());

/** Lists rarely change. */
const FRESH_MS = 10 * 60_000;
/** Someone who sees an empty list of request types will add some soon. */
const EMPTY_FRESH_MS = 1_000;
/** Older lists are read again, while the form says that it is loading. */
const KEEP_LISTS_MS = 7 * 24 * 60 * 60_000;
/** Per kind of list: a few hundred long ones, in characters of JSON. All others are in the database. */
const MAX_CHARACTERS = 5 * 1024 * 1024;

/** Forms that are retried within this time share one read, even if it fails, in ms. */
const SHARED_FAILURE_MS = 4_000;

type ListDemand = Partial<Demand> & { class: CallClass };
const FOR_A_PERSON: ListDemand = { class: 'person' };

/** The first word of the partner products among names. */
export const partnerIn = (products: readonly string[]): string | undefined =>
  products.map((name) => /^(\S+) (?:Graphics|Plus)$/.exec(name)?.[1]).find(Boolean);

export type ReferenceLists = ReturnType<typeof createReferenceLists>;

/** A workspace's request types, brands, and tags: shown even if stale, while they are revalidated in the background. */
export function createReferenceLists(deps: {
  service: ServiceAccess;
  /** The first word of the two partner products, if it is set. */
  partnerName?: string | undefined;
  now: () => Date;
  metrics: Pick<Metrics, 'cache'>;
  entries: Entries;
  log: Log;
}) {
  const { service, now, entries, log } = deps;

  const cached = <Item>(kind: typeof TAG_LIST, list: Resource<Item[]>) =>
    createReadCache<Item[]>({
      ...deps,
      kind,
      resource: () => list,
      keepMs: KEEP_LISTS_MS,
      maxCharacters: MAX_CHARACTERS,
    });
  const requestTypes = cached(TYPE_LIST, REQUEST_TYPES);
  const brands = cached(BRAND_LIST, BRANDS);
  const tags = cached(TAG_LIST, TAGS);

  const keyOf = async (workspaceId: WorkspaceId): Promise<ReadableCacheKey> => ({
    ...(await service.open(workspaceId)),
    id: '',
  });

  const ago = (ms: number) => new Date(now().getTime() - ms);

  async function read<Item>(
    lists: ReadCache<Item[]>,
    key: ReadableCacheKey,
    demand: ListDemand,
  ): Promise<Item[]> {
    const failedSince = demand.class === 'person' ? undefined : ago(PAUSE_AFTER_FAILURE_MS);
    const usual = { since: ago(FRESH_MS), allowStale: true, failedSince };
    const reading = await lists.read(key, { ...usual, ...demand });
    if ('value' in reading) return reading.value;
    throw new DesignApiError({
      code: reading.refused,
      operation: 'list',
      message: `list: was refused at ${reading.readAt.toISOString()}`,
    });
  }

  async function readTypes(key: ReadableCacheKey, demand: ListDemand): Promise<RequestType[]> {
    const types = await read(requestTypes, key, demand);
    if (types.length > 0) return types;
    return read(requestTypes, key, { ...demand, since: ago(EMPTY_FRESH_MS), allowStale: false });
  }

  async function readFormOptions(key: ReadableCacheKey, demand: ListDemand): Promise<FormOptions> {
    let brandsPending: boolean | undefined;
    const reading = readTypes(key, demand);
    // With an open breaker only one trial call is made at a time.
    if (demand.class === 'posted') await reading;
    const readingBrands = read(brands, key, demand).catch((error: unknown) => {
      brandsPending = isTransient(error);
      return undefined;
    });
    const [types, listed] = await Promise.all([reading, readingBrands]);
    const partnerName = await partnerNameAmong(types, key.workspaceId);
    return { requestTypes: types, brands: listed, brandsPending, partnerName };
  }

  /** The lists that were last known, instead of an error about the key. */
  async function withoutKey(id: WorkspaceId, error: unknown): Promise<FormOptions> {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    const [types = [], listed = []] = await Promise.all([
      requestTypes.lastRead(id, ''),
      brands.lastRead(id, ''),
    ]);
    const known = types.length > 0 ? { requestTypes: types, brands: listed } : undefined;
    return {
      ...(known ?? { requestTypes: [UNLISTED], brands: [] }),
      partnerName: await partnerNameAmong(types, id),
      withoutKey: reason,
    };
  }

  const partnerEntry = (owner: WorkspaceId) => ({ kind: PARTNER_NAME, owner, name: '' });
  const warn = (error: unknown) =>
    log.warn({ err: error }, 'could not look up or store the partner that a card names');

  /** As a card has named it. Never rejects: a form works without it. */
  const partnerNameOf = async (id: WorkspaceId): Promise<string | undefined> =>
    (await entries.get(partnerEntry(id)).catch(warn))?.value;

  const partnerNameAmong = async (types: readonly RequestType[], id: WorkspaceId) =>
    deps.partnerName ?? partnerIn(types.flatMap(({ products }) => products)) ?? partnerNameOf(id);

  /**
   * Without a usable key, the lists that were last known.
   *
   * @param options.isRetry by a job, for an open form: leaves calls to people, and obeys the breaker
   * @throws DesignApiError if the request types can't be read. A failure to list brands is part of the result
   */
  async function formOptions(id: WorkspaceId, { isRetry = false } = {}): Promise<FormOptions> {
    const retry = { class: 'posted' as const, failedSince: ago(SHARED_FAILURE_MS) };
    const demand = isRetry ? retry : FOR_A_PERSON;
    return keyOf(id)
      .then((key) => readFormOptions(key, demand))
      .catch((error: unknown) => withoutKey(id, error));
  }

  /** However old, without waiting for the service; undefined if the form needs it first. */
  async function cachedFormOptions(id: WorkspaceId): Promise<FormOptions | undefined> {
    const key = await keyOf(id).catch((error: unknown) => ({ error }));
    if ('error' in key) return withoutKey(id, key.error);
    const [types, listed] = await Promise.all([
      requestTypes.peek(key) ?? requestTypes.load(key),
      brands.peek(key) ?? brands.load(key),
    ]);
    // Without request types, the form can't be filled in.
    if (!types || !('value' in types) || types.value.length === 0) return undefined;
    // Revalidates them if they are stale.
    readFormOptions(key, { class: 'background' }).catch(() => undefined);
    return {
      requestTypes: types.value,
      brands: listed && 'value' in listed ? listed.value : undefined,
      partnerName: await partnerNameAmong(types.value, id),
    };
  }

  return {
    requestTypes: async (id: WorkspaceId, callClass: CallClass = 'person') =>
      read(requestTypes, await keyOf(id), { class: callClass }),
    brands: async (id: WorkspaceId, callClass: CallClass = 'person') =>
      read(brands, await keyOf(id), { class: callClass }),
    tags: async (id: WorkspaceId) => read(tags, await keyOf(id), FOR_A_PERSON),

    formOptions,
    cachedFormOptions,

    /** For presets and steps, which need a usable key. @throws NotConnectedError or DesignApiError */
    async connectedFormOptions(id: WorkspaceId): Promise<FormOptions> {
      const options = await formOptions(id);
      if (options.withoutKey) throw new NotConnectedError(options.withoutKey);
      return options;
    },

    /** As far as they are cached. Never rejects. */
    knownFormOptions: async (id: WorkspaceId): Promise<FormOptions> =>
      (await cachedFormOptions(id).catch(() => undefined)) ?? NO_OPTIONS,

    /** Stores the partner's name if a card's product has it and none did before. Never rejects. */
    async rememberPartner(id: WorkspaceId, product = ''): Promise<void> {
      // “Motion Graphics” may be any product; only the partner's end with “Plus”.
      const name = product.endsWith(' Plus') ? partnerIn([product]) : undefined;
      if (name === undefined || (await partnerNameOf(id)) !== undefined) return;
      await entries.put(partnerEntry(id), name, now()).catch(warn);
    },

    /** Invalidates everything of the workspace, including reads in progress. */
    forget(id: WorkspaceId): void {
      for (const lists of [requestTypes, brands, tags]) void lists.forget(id);
    },
  };
}

function reasonOf(error: unknown): NoKeyReason | undefined {
  if (error instanceof NotConnectedError) return error.reason;
  const isRejected = error instanceof DesignApiError && error.code === 'unauthorized';
  return isRejected ? 'key_rejected' : undefined;
}

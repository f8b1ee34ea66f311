import type { CallClass } from './budget/call-class.ts';
import { type Gate, openGate } from './budget/gate.ts';
import { createRedaction } from './http/answer-json.ts';
import {
  type ClientContext,
  DEFAULT_TIMEOUTS,
  type DesignApiTimeouts,
  type Resource,
  read,
} from './http/call.ts';
import { type CreateOptions, createCard, type NewCard } from './operations/create-card.ts';
import { type TaskQuery, taskListing } from './operations/list-tasks.ts';
import { cardResource } from './operations/read-card.ts';
import { BRANDS, brandResource, REQUEST_TYPES, TAGS } from './operations/read-list.ts';

export type ReadOptions = {
  /** Who waits for the read: a person, unless given. */
  callClass?: CallClass | undefined;
  /** Ends the read, even between retries. It then rejects with `timed_out` or the last error. */
  signal?: AbortSignal | undefined;
};

export type DesignApiOptions = {
  /** The service's base URL, http or https, possibly with a path. */
  baseUrl: string;
  /** Sent as `x-api-key` (API reference, section 5), and nowhere else. */
  apiKey: string;
  /** IANA time zone of the service's timestamps, which the API reference doesn't name. */
  timezone: string;
  /** For interpreting Retry-After. */
  now?: () => Date;
  userAgent?: string;
  /** Passed by every HTTP call, including retries. By default, all calls are made immediately. */
  gate?: Gate;
  timeouts?: Partial<DesignApiTimeouts>;
};

const DEFAULT_USER_AGENT = 'design-api-client';

export type DesignApi = ReturnType<typeof createDesignApi>;

/**
 * A client of the design service for one API key. Its operations reject with `DesignApiError`, or with what the gate
 * throws.
 *
 * @throws TypeError if the base URL isn't http(s), or the time zone is unknown
 */
export function createDesignApi(options: DesignApiOptions) {
  const ctx: ClientContext = {
    baseUrl: checkedBaseUrl(options.baseUrl),
    apiKey: options.apiKey,
    redact: createRedaction(options.apiKey),
    userAgent: options.userAgent ?? DEFAULT_USER_AGENT,
    timeouts: { ...DEFAULT_TIMEOUTS, ...options.timeouts },
    now: options.now ?? (() => new Date()),
    gate: options.gate ?? openGate,
  };
  const timezone = checkedTimezone(options.timezone);
  const get = <Value>(resource: Resource<Value>, reading?: ReadOptions): Promise<Value> =>
    read(ctx, { ...resource, ...reading });

  return {
    read: get,
    /** GET /card/{id} */
    getCard: (id: string, reading?: ReadOptions) => get(cardResource(id, timezone), reading),
    /** POST /card, sent once. `cardId` is undefined if the answer doesn't contain it. */
    createCard: (card: NewCard, asked?: CreateOptions) => createCard(ctx, card, asked),
    /** GET /card-types */
    listRequestTypes: (reading?: ReadOptions) => get(REQUEST_TYPES, reading),
    /** GET /tags */
    listTags: (reading?: ReadOptions) => get(TAGS, reading),
    /** GET /brands */
    listBrands: (reading?: ReadOptions) => get(BRANDS, reading),
    /** GET /brands/{id} */
    getBrand: (id: string, reading?: ReadOptions) => get(brandResource(id), reading),
    /** GET /tasks. The API reference shows only an example of its query (4.2). */
    listTasks: (query: TaskQuery, reading?: ReadOptions) => get(taskListing(query), reading),
  };
}

function checkedBaseUrl(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new TypeError('The base URL of the design service must be an http(s) URL.');
}

function checkedTimezone(timezone: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
    return timezone;
  } catch {
    throw new TypeError('The time zone of the design service is not a known IANA time zone.');
  }
}

import type { z } from 'zod';
import type { CallClass } from './budget/call-class.ts';
import { type Gate, openGate } from './budget/gate.ts';
import { DesignApiError } from './errors.ts';
import { createRedaction } from './http/answer-json.ts';
import { type ClientContext, DEFAULT_TIMEOUTS, type DesignApiTimeouts, read } from './http/call.ts';
import type { CreatedCard, NewCard } from './operations/create-card.ts';
import { type CreateOptions, createCard } from './operations/create-card.ts';
import type { TaskListing } from './operations/list-tasks.ts';
import { readTaskListing } from './operations/list-tasks.ts';
import { isObject } from './operations/loose-values.ts';
import type { Card } from './operations/read-card.ts';
import { cardSchema } from './operations/read-card.ts';
import type { Brand, RequestType, Tag } from './operations/read-list.ts';
import {
  brandSchema,
  readBrand,
  readReferenceList,
  requestTypeSchema,
  tagSchema,
} from './operations/read-list.ts';

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

/** The service's operations. All reject with `DesignApiError`, or with what the gate throws. */
export type DesignApi = {
  /** GET /card/{id} */
  getCard(id: string, options?: ReadOptions): Promise<Card>;
  /** POST /card, sent once. `cardId` is undefined if the answer doesn't contain it. */
  createCard(card: NewCard, options?: CreateOptions): Promise<CreatedCard>;
  /** GET /card-types */
  listRequestTypes(options?: ReadOptions): Promise<RequestType[]>;
  /** GET /tags */
  listTags(options?: ReadOptions): Promise<Tag[]>;
  /** GET /brands */
  listBrands(options?: ReadOptions): Promise<Brand[]>;
  /** GET /brands/{id} */
  getBrand(id: string, options?: ReadOptions): Promise<Brand>;
  /** GET /tasks. The API reference shows only an example of its query (4.2). */
  listTasks(query: TaskQuery, options?: ReadOptions): Promise<TaskListing>;
};

type TaskQuery = { projectId?: string; perPage?: number };

const DEFAULT_USER_AGENT = 'design-api-client';

/**
 * A client of the design service for one API key.
 *
 * @throws TypeError if the base URL isn't http(s), or the time zone is unknown
 */
export function createDesignApi(options: DesignApiOptions): DesignApi {
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

  const list = <T extends { id: string }>(
    operation: string,
    path: string,
    entry: z.ZodType<T>,
    reading?: ReadOptions,
  ) =>
    read(ctx, { operation, path: [path], exists: true, ...reading }, (body) =>
      readReferenceList(dataOf(body), entry),
    );

  return {
    getCard: async (id, reading) => {
      const operation = 'getCard';
      const path = ['card', checkedId(id, operation)];
      const schema = cardSchema(id, timezone);
      return read(ctx, { operation, path, ...reading }, (body) => {
        return schema.safeParse(dataOf(body)).data;
      });
    },
    createCard: async (card, asked) => createCard(ctx, card, asked),
    listRequestTypes: async (reading) =>
      list('listRequestTypes', 'card-types', requestTypeSchema, reading),
    listTags: async (reading) => list('listTags', 'tags', tagSchema, reading),
    listBrands: async (reading) => list('listBrands', 'brands', brandSchema, reading),
    getBrand: async (id, reading) => {
      const operation = 'getBrand';
      const path = ['brands', checkedId(id, operation)];
      return read(ctx, { operation, path, ...reading }, (body) => readBrand(dataOf(body), id));
    },
    listTasks: async ({ projectId, perPage }, reading) => {
      const query = {
        ...(projectId === undefined ? {} : { projectId }),
        ...(perPage === undefined ? {} : { perPage: String(perPage) }),
      };
      return read(
        ctx,
        { operation: 'listTasks', path: ['tasks'], query, ...reading },
        readTaskListing,
      );
    },
  };
}

/** Answers are wrapped in `data` (API reference, 2.1). */
function dataOf(body: unknown): unknown {
  return isObject(body) ? body.data : undefined;
}

/** An ID that can't be part of a path doesn't exist; '.' and '..' would change the path. */
function checkedId(id: string, operation: string): string {
  if (id !== '' && id !== '.' && id !== '..' && id.isWellFormed()) return id;
  throw new DesignApiError({
    code: 'not_found',
    operation,
    message: `${operation}: this ID cannot be part of a path`,
  });
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

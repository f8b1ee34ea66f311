import { createRedaction } from './http/answer.ts';
import {
  type Call,
  type ClientContext,
  DEFAULT_TIMEOUTS,
  type DesignApiTimeouts,
  type ReadOptions,
  type Resource,
  read,
} from './http/call.ts';
import { cardResource, createCard, type NewCard } from './operations/card.ts';
import { type TaskQuery, taskListing } from './operations/list-tasks.ts';
import { BRANDS, REQUEST_TYPES, TAGS } from './operations/read-list.ts';

export type DesignApiOptions = Pick<ClientContext, 'baseUrl' | 'apiKey' | 'gate'> & {
  /** IANA time zone of the service's timestamps, which the API reference doesn't name. */
  timezone: string;
  now?: () => Date;
  timeouts?: Partial<DesignApiTimeouts>;
};

export type DesignApi = ReturnType<typeof createDesignApi>;

/** For one API key. Its operations reject with `DesignApiError`, or with what the gate throws. */
export function createDesignApi({ timezone, timeouts, ...options }: DesignApiOptions) {
  const ctx: ClientContext = {
    now: () => new Date(),
    ...options,
    redact: createRedaction(options.apiKey),
    timeouts: { ...DEFAULT_TIMEOUTS, ...timeouts },
  };
  const get = <Value>(resource: Resource<Value>, reading?: ReadOptions): Promise<Value> =>
    read(ctx, { ...resource, ...reading });

  return {
    read: get,
    getCard: (id: string, reading?: ReadOptions) => get(cardResource(id, timezone), reading),
    /** Sent once. `cardId` is undefined if the answer doesn't contain it. */
    createCard: (card: NewCard, asked?: Pick<Call, 'maySend'>) => createCard(ctx, card, asked),
    listRequestTypes: (reading?: ReadOptions) => get(REQUEST_TYPES, reading),
    listTags: (reading?: ReadOptions) => get(TAGS, reading),
    listBrands: (reading?: ReadOptions) => get(BRANDS, reading),
    listTasks: (query: TaskQuery, reading?: ReadOptions) => get(taskListing(query), reading),
  };
}

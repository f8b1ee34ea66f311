import { afterEach } from 'vitest';
import { type DesignService, type DesignServiceOptions, startDesignService } from '../server.ts';

export type CallOptions = {
  method?: string;
  /** The service's own key by default; null omits the header. */
  key?: string | null | undefined;
  /** Sent as JSON, unless it is text or bytes. */
  body?: unknown;
  headers?: Record<string, string>;
};

export type Called = { status: number; headers: Headers; text: string; json: unknown };

const running: DesignService[] = [];

/** A service for one test, closed after it. */
export async function serviceFor(options?: DesignServiceOptions): Promise<DesignService> {
  const service = await startDesignService(options);
  running.push(service);
  return service;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.close()));
});

/** One real HTTP call. `json` is undefined if the answer isn't JSON. */
export async function call(
  service: DesignService,
  path: string,
  options: CallOptions = {},
): Promise<Called> {
  const { method = 'GET', key = service.apiKey, body, headers } = options;
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(`${service.url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(key !== null && { 'x-api-key': key }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: raw ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

/** A `POST /card` with the given fields over `NEW_CARD`. */
export function create(
  service: DesignService,
  fields: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<Called> {
  return call(service, '/card', {
    method: 'POST',
    body: { data: { ...NEW_CARD, ...fields } },
    ...options,
  });
}

/** Everything that `POST /card` requires, for the demo reference lists. */
export const NEW_CARD = {
  title: 'Spring banner',
  description: '<p>Please <b>hurry</b></p>',
  typeId: 'type-social',
  product: 'Graphics',
  dimension: '1200 x 628 px',
  software: 'Figma',
  fileFormats: 'PNG',
};

/** A clock that stands still unless moved. */
export function standingClock(start: string): { clock: () => Date; pass(ms: number): void } {
  let now = new Date(start).getTime();
  return {
    clock: () => new Date(now),
    pass(ms) {
      now += ms;
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { setTimeout } from 'node:timers/promises';
import { type JsonObject, parseJson } from '../json.ts';
import { signedRequest } from '../signing.ts';
import type { SlackState } from '../state/state.ts';
import {
  type Attempt,
  type AttemptError,
  bodyOf,
  contentTypeOf,
  type Delivery,
  type DeliveryKind,
} from './delivery.ts';
import { type HttpAnswer, postToApp } from './http.ts';
import type { Envelope, SocketHub } from './sockets.ts';

interface DispatcherOptions {
  /** An acknowledgment that takes longer counts as missing. Slack's limit is 3,000. */
  ackTimeoutMs: number;
  /** The delays before the first, second, and third retry of an event. */
  retryDelaysMs: number[];
}

export type Dispatcher = ReturnType<typeof createDispatcher>;

/** Sends what happens in Slack to the app: over a socket if one is connected, otherwise over HTTP. */
export function createDispatcher(
  { clock, ids, feed, app }: SlackState,
  sockets: SocketHub,
  { ackTimeoutMs, retryDelaysMs }: DispatcherOptions,
) {
  const deliveries: Delivery[] = [];
  const underWay = new Set<Promise<unknown>>();
  const closing = new AbortController();
  let requestUrl = '';

  function open(kind: DeliveryKind, workspaceId: string, payload: JsonObject): Delivery {
    const delivery: Delivery = {
      id: ids.next('Dl'),
      kind,
      workspaceId,
      payload,
      rawBody: bodyOf(kind, payload),
      attempts: [],
      acknowledged: false,
      settled: false,
    };
    deliveries.push(delivery);
    feed.emit();
    return delivery;
  }

  async function overHttp(delivery: Delivery, at: Date, retryNum: number, reason: string) {
    const signed = signedRequest(
      app.signingSecret,
      delivery.rawBody,
      at,
      contentTypeOf(delivery.kind),
    );
    const retry = { 'x-slack-retry-num': String(retryNum), 'x-slack-retry-reason': reason };
    const headers = { ...signed.headers, ...(retryNum > 0 ? retry : {}) };
    const answer = requestUrl
      ? await postToApp(requestUrl, headers, signed.body, ackTimeoutMs)
      : undefined;
    const { status, body = '' } = answer ?? {};
    return { via: 'http', headers, status, body, error: httpError(answer) } as const;
  }

  async function overSocket(delivery: Delivery, _at: Date, retryNum: number, reason: string) {
    const { kind, payload } = delivery;
    const envelope = { type: envelopeType(kind), payload, retryNum, retryReason: reason };
    const answer = await sockets.deliver(envelope, ackTimeoutMs);
    const empty = answer.payload === undefined || JSON.stringify(answer.payload) === '{}';
    const body = empty ? '' : JSON.stringify(answer.payload);
    return { via: 'socket', headers: {}, status: undefined, body, error: answer.error } as const;
  }

  async function attempt(delivery: Delivery, retryNum: number, reason: string): Promise<Attempt> {
    const at = clock();
    const started = performance.now();
    const send = sockets.count() > 0 ? overSocket : overHttp;
    const made = await send(delivery, at, retryNum, reason);
    const result = { ...made, at, ms: performance.now() - started, retryNum };
    delivery.attempts.push(result);
    if (result.error === undefined) delivery.acknowledged = true;
    feed.emit();
    return result;
  }

  async function withRetries(delivery: Delivery): Promise<void> {
    let last = await attempt(delivery, 0, '');
    for (const [index, delayMs] of retryDelaysMs.entries()) {
      if (last.error === undefined) break;
      await setTimeout(delayMs, undefined, { signal: closing.signal }).catch(() => undefined);
      if (closing.signal.aborted) break;
      last = await attempt(delivery, index + 1, reasonToRetry(last.error));
    }
    settle(delivery);
  }

  function settle(delivery: Delivery): void {
    delivery.settled = true;
    feed.emit();
  }

  function track<T>(work: Promise<T>): Promise<T> {
    underWay.add(work);
    const done = () => {
      underWay.delete(work);
      feed.emit();
    };
    work.then(done, done);
    return work;
  }

  return {
    deliveries,
    connect(url: string) {
      requestUrl = url;
    },
    /** Delivers once, as Slack does with commands and interactions. */
    async once(kind: DeliveryKind, workspaceId: string, payload: JsonObject) {
      const delivery = open(kind, workspaceId, payload);
      await track(attempt(delivery, 0, ''));
      settle(delivery);
      return delivery;
    },
    /** Delivers an event, with retries in the background; the returned record is updated. */
    event(workspaceId: string, payload: JsonObject) {
      const delivery = open('event', workspaceId, payload);
      void track(withRetries(delivery));
      return delivery;
    },
    redeliver: (delivery: Delivery, retryNum: number) =>
      track(attempt(delivery, retryNum, 'http_timeout')),
    track,
    async idle() {
      while (underWay.size > 0) await Promise.allSettled([...underWay]);
    },
    close: () => closing.abort(),
  };
}

function httpError(answer: HttpAnswer | undefined): AttemptError | undefined {
  if (!answer) return 'not_connected';
  if (answer.error) return answer.error;
  const status = answer.status ?? 0;
  return status >= 200 && status < 300 ? undefined : 'http_error';
}

/** Slack's name for the reason of a retry. Source: Slack's documentation of the Events API. */
function reasonToRetry(error: AttemptError): string {
  if (error === 'timeout') return 'http_timeout';
  if (error === 'http_error') return 'http_error';
  return 'connection_failed';
}

function envelopeType(kind: DeliveryKind): Envelope['type'] {
  if (kind === 'command') return 'slash_commands';
  return kind === 'event' ? 'events_api' : 'interactive';
}

/** The app's answer: a JSON object or other JSON, `{text}` for plain text, undefined for nothing. */
export function answerOf(delivery: Delivery): unknown {
  const body = delivery.attempts.at(-1)?.body.trim() ?? '';
  if (body === '') return undefined;
  return parseJson(body) ?? { text: body };
}

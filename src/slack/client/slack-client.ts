import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from '@slack/bolt';
import {
  type FetchFunction,
  LogLevel,
  type WebClient,
  type WebClientOptions,
} from '@slack/web-api';
import { z } from 'zod';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { claimHeld } from '../../jobs/runner.ts';
import type { Log } from '../../ops/logging.ts';
import type { SlackMetrics } from '../../ops/metrics/call-metrics.ts';
import { type FetchResponse, httpFetch } from '../../outgoing.ts';
import { CLAIM_LOST, NOT_FROM_SLACK } from './errors.ts';

/** Timeout of a call, in ms. A person may be waiting. */
const CALL_TIMEOUT_MS = 5_000;

/**
 * Options for Slack's client. By default it has no timeout, retries ten times over half an hour,
 * and pauses all calls after one 429; here a call fails fast and the caller decides.
 */
export function slackClientOptions(deps: {
  apiUrl: string;
  metrics?: CallMetrics;
  log: Log;
}): WebClientOptions {
  return {
    slackApiUrl: deps.apiUrl,
    fetch: createSlackFetch({ ...deps, timeoutMs: CALL_TIMEOUT_MS }),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    logger: boltLogger(deps.log),
  };
}

/** Logger for Slack's libraries. Their debug lines contain whole payloads, so only `info` and above is passed on. */
export function boltLogger(log: Log): Logger {
  const join = (parts: unknown[]) => parts.map(String).join(' ');
  return {
    debug: () => undefined,
    info: (...parts) => log.debug({ from: 'slack' }, join(parts)),
    warn: (...parts) => log.warn({ from: 'slack' }, join(parts)),
    error: (...parts) => log.error({ from: 'slack' }, join(parts)),
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  };
}

export type SlackClient = WebClient;

/** The client of a workspace, for work outside of Bolt handlers. */
export type SlackClients = { of(workspaceId: WorkspaceId): Promise<SlackClient> };

type CallMetrics = Pick<SlackMetrics, 'called' | 'modalOpened'>;

/** For each `response_url`. Source: docs.slack.dev/interactivity/handling-user-interaction. */
const RESPONSE_ORIGINS = ['https://hooks.slack.com', 'https://hooks.slack-gov.com'];

/**
 * Calls that may have been carried out before a connection broke, and must not be carried out twice: they post a
 * message, or use up a code or a refresh token. Any other call reads, sets what it set before, or needs a trigger,
 * which works once.
 */
const NOT_REPEATABLE = new Set(['chat.postMessage', 'chat.postEphemeral', 'oauth.v2.access']);

/** Calls that open a modal with a trigger, which expires 3 s after the delivery. */
const OPENS_A_MODAL = new Set(['views.open', 'views.push']);

/** When the delivery arrived that is being handled, by `performance.now()`. */
export const deliveredAt = new AsyncLocalStorage<number>();

/**
 * A `fetch` that reaches only Slack: the Web API, and the `response_url` in a payload. It rejects any other address
 * without a request, redirects, and answers that aren't Slack's, such as a proxy's page: Slack's client would take such
 * a page for an error code, and its callers would take that code for a final refusal.
 */
export function createSlackFetch(deps: {
  apiUrl: string;
  timeoutMs: number;
  metrics?: CallMetrics | undefined;
  log: Log;
}): FetchFunction {
  const { apiUrl, timeoutMs, metrics, log } = deps;
  const origins = new Set([...RESPONSE_ORIGINS, new URL(apiUrl).origin]);

  function measure(method: string, begunAt: number, code: string | undefined): void {
    const now = performance.now();
    metrics?.called(method, (now - begunAt) / 1_000, code);
    const arrivedAt = deliveredAt.getStore();
    if (OPENS_A_MODAL.has(method) && arrivedAt !== undefined)
      metrics?.modalOpened((now - arrivedAt) / 1_000);
  }

  function refuseForeign({ origin }: URL): void {
    if (origins.has(origin)) return;
    log.warn({ origin }, FOREIGN);
    throw new Error(`${origin} is not Slack`);
  }

  return async (address, init = {}) => {
    const url = new URL(address);
    refuseForeign(url);
    const method = url.href.startsWith(apiUrl) ? url.href.slice(apiUrl.length) : undefined;
    // Checked right before the call: if another replica has taken the job, that one posts the message.
    if (method === 'chat.postMessage' && !claimHeld()()) {
      throw Object.assign(new Error('another replica has the job'), { code: CLAIM_LOST });
    }
    const begunAt = performance.now();
    let code: string | undefined = 'network';
    try {
      const repeatable = method !== undefined && !NOT_REPEATABLE.has(method);
      const response = await httpFetch(url, init, { timeoutMs, repeatable });
      code = await codeIn(response, method);
      return response;
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError') code = 'timed_out';
      throw error;
    } finally {
      measure(method ?? 'response_url', begunAt, code);
    }
  };
}

const FOREIGN =
  'refused to send a reply to an address outside Slack; if that is your Slack, set SLACK_API_URL';

const answer = z.union([
  z.object({ ok: z.literal(true) }).transform(() => undefined),
  z
    .object({ ok: z.literal(false), error: z.string().regex(/^[a-z]\w{0,99}$/) })
    .transform(({ error }) => error),
]);

/**
 * The code of a failure; undefined if the call succeeded. For a `response_url`, the status says everything.
 * @throws if the answer to a call isn't Slack's, which is an object; one that breaks off may be Slack's
 */
async function codeIn(response: FetchResponse, method: string | undefined) {
  const { ok, status } = response;
  if (!ok) return status === 429 ? 'ratelimited' : `http_${status}`;
  if (method === undefined) return undefined;
  try {
    return answer.parse(await response.json());
  } catch {
    const isCutOff = (await response.text()).startsWith('{');
    const error = new Error(`${method}: HTTP ${status} without an answer from Slack`);
    throw Object.assign(error, { code: isCutOff ? 'UNREADABLE_ANSWER' : NOT_FROM_SLACK });
  }
}

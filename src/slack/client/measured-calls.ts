import type { FetchFunction, WebClientOptions } from '@slack/web-api';
import type { SlackMetrics } from '../../ops/metrics/slack-metrics.ts';
import { secondsSinceDelivery } from '../intake/measured-intake.ts';

/** Calls that open a modal with a trigger, which expires 3 s after the delivery. */
const OPENS_A_MODAL = ['views.open', 'views.push'];
/** The beginning of nearly every answer, which then needn't be parsed twice. */
const OK = '{"ok":true';
const HTTP_OK = 200;
const HTTP_TOO_MANY_REQUESTS = 429;
const MS_PER_SECOND = 1_000;

/** Measures the calls of clients with these options. Replies to a `response_url` are counted as that method. */
export function measureCalls(
  { fetch, slackApiUrl = '', ...options }: WebClientOptions,
  metrics: Pick<SlackMetrics, 'called' | 'modalOpened'>,
): WebClientOptions {
  return {
    ...options,
    slackApiUrl,
    ...(fetch ? { fetch: measured(fetch, slackApiUrl, metrics) } : {}),
  };
}

function measured(
  fetch: FetchFunction,
  apiUrl: string,
  metrics: Pick<SlackMetrics, 'called' | 'modalOpened'>,
): FetchFunction {
  return async (address, init) => {
    const method = methodOf(String(address), apiUrl);
    const begunAt = performance.now();
    const ended = (code: string | undefined) => {
      metrics.called(method, (performance.now() - begunAt) / MS_PER_SECOND, code);
      const sinceDelivery = secondsSinceDelivery();
      if (OPENS_A_MODAL.includes(method) && sinceDelivery !== undefined)
        metrics.modalOpened(sinceDelivery);
    };
    try {
      const response = await fetch(address, init);
      if (response.status !== HTTP_OK) {
        const isLimited = response.status === HTTP_TOO_MANY_REQUESTS;
        ended(isLimited ? 'ratelimited' : `http_${response.status}`);
        return response;
      }
      ended(codeIn(await response.text()));
      return response;
    } catch (error) {
      ended(error instanceof Error && error.name === 'TimeoutError' ? 'timed_out' : 'network');
      throw error;
    }
  };
}

/** The methods are named in our code, so there are few. */
const methodOf = (address: string, apiUrl: string): string =>
  address.startsWith(apiUrl)
    ? (address.slice(apiUrl.length).split('?', 1)[0] ?? '')
    : 'response_url';

/** Slack's error code; undefined for an answer that doesn't say that it failed. */
function codeIn(text: string): string | undefined {
  if (text.startsWith(OK)) return undefined;
  try {
    const { ok, error } = Object(JSON.parse(text)) as { ok?: unknown; error?: unknown };
    return ok === false ? String(error) : undefined;
  } catch {
    return undefined;
  }
}

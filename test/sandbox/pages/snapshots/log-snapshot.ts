import type { Delivery } from '../../../stand-ins/slack/dispatch/delivery.ts';
import { asObject, asText, type JsonObject, parseJson } from '../../../stand-ins/slack/json.ts';
import type { ApiCall } from '../../../stand-ins/slack/state/model.ts';
import type { SlackState } from '../../../stand-ins/slack/state/state.ts';
import { textOf } from '../../../stand-ins/slack/views/elements.ts';
import { wordsForDelivery } from '../record/delivery-words.ts';
import type { Exchange, ServiceCall } from '../record/recorder.ts';

export type Party = 'slack' | 'app' | 'service';

export type LogRow = ReturnType<typeof rowOf>;

export type LogMessage = { head: string; body: unknown };

/** How many rows a page shows, the newest. */
const MOST_ROWS = 300;

export type LogSnapshot = ReturnType<typeof logSnapshot>;
export type LogDetail = ReturnType<typeof logDetail>;

export const logSnapshot = (exchanges: readonly Exchange[], state: SlackState) => ({
  rows: exchanges.slice(-MOST_ROWS).map((exchange) => rowOf(exchange, state)),
});

function rowOf(exchange: Exchange, state: SlackState) {
  const { seq } = exchange;
  const at = exchange.at.getTime();
  switch (exchange.kind) {
    case 'delivery':
      return { seq, at, ...deliveryRow(exchange.delivery, state) };
    case 'api-call':
      return { seq, at, ...apiCallRow(exchange.call, state) };
    case 'service-call':
      return { seq, at, ...serviceCallRow(exchange.call) };
  }
}

function deliveryRow(delivery: Delivery, state: SlackState) {
  const { attempts, acknowledged } = delivery;
  const last = attempts.at(-1);
  const tries = attempts.length > 1 ? `, ${attempts.length} tries` : '';
  const outcome = last && `${last.error?.replaceAll('_', ' ') ?? last.status ?? 'ack'}${tries}`;
  return {
    ...({ from: 'slack', to: 'app' } as const),
    outcome,
    isGood: acknowledged,
    ...wordsForDelivery(delivery, state),
    ms: last?.ms,
  };
}

function apiCallRow({ method, args, response, status, fault, ms }: ApiCall, state: SlackState) {
  const refused = response && method !== 'response_url' && response.ok !== true;
  const outcome = fault ?? (refused ? asText(response.error) : response && `${status}`);
  const channel = state.channels.get(asText(args.channel));
  const title = textOf(asObject(unpacked(args).view).title);
  return {
    ...({ from: 'app', to: 'slack' } as const),
    title: method,
    outcome,
    ms,
    about: title || (channel?.name ? `#${channel.name}` : ''),
    isGood: !refused && fault === undefined && status < 400,
  };
}

function serviceCallRow({ entry, ms }: ServiceCall) {
  const { method, path, query, status, executed } = entry;
  const unanswered = ms === undefined ? undefined : 'no answer';
  const note = status !== undefined && status >= 400 && executed ? ', executed' : '';
  return {
    ...({ from: 'app', to: 'service' } as const),
    title: `${method} ${path}`,
    about: query,
    ms,
    outcome: status === undefined ? unanswered : `${status}${note}`,
    isGood: status !== undefined && status < 400,
  };
}

export function logDetail(exchange: Exchange): { request: LogMessage; answers: LogMessage[] } {
  switch (exchange.kind) {
    case 'delivery': {
      const { kind, payload, attempts } = exchange.delivery;
      return {
        request: { head: `POST /slack/events (${kind})`, body: payload },
        answers: attempts.map(({ status, body, ms, retryNum, error, via }) => ({
          head: [
            retryNum > 0 ? `Retry ${retryNum}:` : '',
            `${error ?? status ?? 'acknowledged'} after ${Math.round(ms)} ms`,
            via === 'socket' ? 'over the socket' : '',
          ].join(' '),
          body: readable(body),
        })),
      };
    }
    case 'api-call': {
      const { method, args, response, status } = exchange.call;
      return {
        request: { head: `POST /api/${method}`, body: unpacked(args) },
        answers: response ? [{ head: `${status}`, body: response }] : [],
      };
    }
    case 'service-call': {
      const { entry, reply } = exchange.call;
      const { method, path, query, keyEnding, status } = entry;
      const key = keyEnding ? `, key ending in ${keyEnding}` : '';
      return {
        request: {
          head: `${method} ${path}${query && `?${query}`}${key}`,
          body: entry.requestBody,
        },
        answers: reply
          ? [{ head: headOf(status, reply.headers ?? {}), body: readable(reply.body) }]
          : [],
      };
    }
  }
}

function headOf(status: number | undefined, headers: Record<string, string>): string {
  const shown = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [
    status === undefined ? 'No answer was sent. It would have been:' : `${status}`,
    ...shown,
  ].join('\n');
}

/** Slack's client sends structured values as JSON inside form fields. */
function unpacked(args: JsonObject): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const inside =
        typeof value === 'string' && /^[[{]/.test(value) ? parseJson(value) : undefined;
      return [name, inside ?? value];
    }),
  );
}

const readable = (body: string): unknown => (body === '' ? undefined : (parseJson(body) ?? body));

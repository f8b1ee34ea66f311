import type { JsonObject } from '../json.ts';

export type DeliveryKind =
  | 'command'
  | 'event'
  | 'block_actions'
  | 'block_suggestion'
  | 'view_submission'
  | 'view_closed'
  | 'shortcut'
  | 'message_action';

/** Why an attempt failed; undefined if the app acknowledged it. */
export type AttemptError =
  | 'timeout'
  | 'http_error'
  | 'connection_failed'
  | 'socket_closed'
  | 'not_connected';

export interface Attempt {
  at: Date;
  via: 'http' | 'socket';
  /** The request's headers, including the signature; empty over a socket. */
  headers: Record<string, string>;
  /** The app's HTTP status; undefined over a socket and without an answer. */
  status: number | undefined;
  /** The app's answer: the HTTP body, or the JSON of the socket's payload. */
  body: string;
  /** Real milliseconds from sending to the end of the answer. */
  ms: number;
  /** 0 for the first delivery, then 1, 2, 3. */
  retryNum: number;
  error: AttemptError | undefined;
}

export interface Delivery {
  id: string;
  kind: DeliveryKind;
  /** The workspace whose installation it was sent for. */
  workspaceId: string;
  payload: JsonObject;
  /** The HTTP body as it was signed. */
  rawBody: string;
  attempts: Attempt[];
  acknowledged: boolean;
  settled: boolean;
}

export function bodyOf(kind: DeliveryKind, payload: JsonObject): string {
  if (kind === 'event') return JSON.stringify(payload);
  if (kind !== 'command') {
    return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  }
  const fields = Object.entries(payload).filter(([, value]) => value !== undefined);
  const texts = fields.map(([name, value]): [string, string] => [name, String(value)]);
  return new URLSearchParams(texts).toString();
}

export function contentTypeOf(kind: DeliveryKind): string {
  return kind === 'event' ? 'application/json' : 'application/x-www-form-urlencoded';
}

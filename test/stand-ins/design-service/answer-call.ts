import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from './faults.ts';
import type { LedgerEntry } from './ledger.ts';
import { errorReply, htmlReply, type Reply } from './replies.ts';

/** Writes the answer to a call, altered by its fault. Rejects if the service closes meanwhile. */
export async function answerCall(
  res: ServerResponse,
  reply: Reply,
  fault: Fault | undefined,
  entry: LedgerEntry,
  closing: AbortSignal,
): Promise<void> {
  switch (fault?.kind) {
    case 'hang':
      return;
    case 'reset-before-executing':
      res.socket?.resetAndDestroy();
      return;
    case 'drop-after-executing':
      res.socket?.destroy();
      return;
    case 'stall':
      await delay(fault.ms, undefined, { signal: closing });
      send(res, reply, entry);
      return;
    case 'echoed-key': {
      const key = String(res.req.headers['x-api-key']);
      send(res, { ...reply, body: echoing(reply.body, key) }, entry);
      return;
    }
    default:
      send(res, fault ? spoilt(reply, fault) : reply, entry);
  }
}

/** The reply that a fault puts in place of the right one, with the right one's headers. */
function spoilt(reply: Reply, fault: Fault): Reply {
  const { headers } = reply;
  switch (fault.kind) {
    case 'status':
      return { ...statusReply(fault), headers: { ...headers, ...locationHeader(fault) } };
    case 'html':
      return { ...htmlReply(200), headers };
    case 'bloated':
      return { ...reply, status: fault.status ?? reply.status, body: bloated(reply.body, fault) };
    default:
      return reply;
  }
}

type StatusFault = Extract<Fault, { kind: 'status' }>;

function statusReply({ status, body = 'json', details }: StatusFault): Reply {
  if (body === 'html') return htmlReply(status);
  const message = status < 500 ? 'The request is not valid.' : 'The service could not do this now.';
  return errorReply(status, message, details);
}

function locationHeader({ status, location = '/elsewhere' }: StatusFault): Record<string, string> {
  return status >= 300 && status < 400 ? { Location: location } : {};
}

function send(res: ServerResponse, reply: Reply, entry: LedgerEntry): void {
  if (res.req.socket.destroyed) return;
  const bytes = Buffer.from(reply.body);
  entry.status = reply.status;
  // A 204 may have neither a body nor its length (RFC 9110, 15.3.5 and 8.6).
  const length = reply.status === 204 ? undefined : { 'Content-Length': bytes.length };
  const type = reply.contentType === undefined ? undefined : { 'Content-Type': reply.contentType };
  res.writeHead(reply.status, { ...reply.headers, ...type, ...length }).end(bytes);
}

const WEB_ADDRESS = /^https?:/;

/** The answer's JSON with the caller's API key in every text, as from a service that echoes what it was sent. */
function echoing(json: string, key: string): string {
  const withKey = (text: string) => {
    if (!WEB_ADDRESS.test(text)) return `${text} ${key}`;
    const url = new URL(text);
    url.searchParams.set('key', key);
    return url.href;
  };
  return JSON.stringify(
    JSON.parse(json, (_name, value) => (typeof value === 'string' ? withKey(value) : value)),
  );
}

export type Filling =
  /** A list that repeats the same entry, as JSON; `#` in it is replaced by its number. */
  | { entry: string }
  /** Nested lists or objects. */
  | { nested: 'lists' | 'objects' }
  | { keys: 'numbered' }
  | { text: string };

/** The answer's JSON, in which the value at `path` is replaced by one of about that many bytes. */
function bloated(
  json: string,
  { path, filling, bytes }: { path: readonly string[]; filling: Filling; bytes: number },
): string {
  const answer = JSON.parse(json);
  const parent = path.slice(0, -1).reduce((holder, key) => holder[key], answer);
  parent[path.at(-1) ?? ''] = PLACEHOLDER;
  return JSON.stringify(answer).replace(`"${PLACEHOLDER}"`, () => filled(filling, bytes));
}

const PLACEHOLDER = 'bloated-5f1c';

function filled(filling: Filling, bytes: number): string {
  if ('text' in filling) {
    const unit = JSON.stringify(filling.text).slice(1, -1);
    return `"${unit.repeat(bytes / Buffer.byteLength(unit))}"`;
  }
  if ('nested' in filling) {
    const [opening, closing] = filling.nested === 'lists' ? ['[', ']'] : ['{"a":', '}'];
    const depth = Math.floor(bytes / (opening.length + closing.length));
    return `${opening.repeat(depth)}0${closing.repeat(depth)}`;
  }
  return 'keys' in filling
    ? `{${numbered('"#":0', bytes)}}`
    : `[${numbered(filling.entry, bytes)}]`;
}

function numbered(entry: string, bytes: number): string {
  const entries: string[] = [];
  for (let size = 0; size < bytes; ) {
    const next = entry.replaceAll('#', String(entries.length));
    entries.push(next);
    size += Buffer.byteLength(next) + 1;
  }
  return entries.join(',');
}

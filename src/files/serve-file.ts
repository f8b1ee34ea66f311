import type { IncomingMessage, ServerResponse } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { create as contentDisposition } from 'content-disposition';
import type { ReadyFile } from '../slack/request-form/file-info.ts';
import type { Download } from '../slack/request-form/slack-files.ts';

/** How long a download may stall, because of either side, in ms. */
const IDLE_MS = 60_000;

/** Restrictive, since people decide what is in a file: it is saved, never shown or run, and not kept by caches. */
const HEADERS = {
  'accept-ranges': 'bytes',
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

/** Identifies the content for `If-Range`, so that a download is resumed only with bytes of the same file. */
const etagOf = ({ id, version }: ReadyFile) => `"${id}-${version}"`;

/** `bytes=100-200`, `bytes=100-`, or `bytes=-100`; several ranges are answered with the whole file. */
const SINGLE_RANGE = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/;

/**
 * The range that a request asks for (RFC 9110, 14.2): undefined for the whole file.
 *
 * @returns `unsatisfiable` if it begins after the end
 */
export function rangeOf(
  request: Pick<IncomingMessage, 'headers' | 'method'>,
  file: ReadyFile,
): string | undefined | 'unsatisfiable' {
  const { range, 'if-range': ifRange } = request.headers;
  const asked = SINGLE_RANGE.exec(range ?? '');
  if (!asked || request.method !== 'GET') return undefined;
  if (ifRange !== undefined && ifRange !== etagOf(file)) return undefined;
  const [all, first, last, suffix] = asked;
  if (suffix !== undefined) return Number(suffix) > 0 ? all : 'unsatisfiable';
  if (Number(first) >= file.bytes) return 'unsatisfiable';
  // An end before the start is not a range at all.
  return last && Number(last) < Number(first) ? undefined : all;
}

export function sendUnsatisfiable(response: ServerResponse, { bytes }: ReadyFile): void {
  const headers = { ...HEADERS, 'content-range': `bytes */${bytes}`, 'content-length': 0 };
  response.writeHead(416, headers).end();
}

/** The headers of a file, for HEAD. */
export function sendHead(response: ServerResponse, file: ReadyFile): void {
  response.writeHead(200, headersOf(file, file.bytes)).end();
}

function headersOf(file: ReadyFile, length: number): Record<string, string | number> {
  return {
    ...HEADERS,
    etag: etagOf(file),
    'content-type': file.type,
    'content-disposition': contentDisposition(savedName(file.name)),
    'content-length': length,
  };
}

/** Everything that a file system treats as a separator of folders, or that looks like one. */
const SEPARATORS = /[\\/\u2044\u2215\u29f5\u29f8\ufe68\uff0f\uff3c]/;
/** Most file systems allow 255 bytes. */
const SAVED_NAME_MAX = 200;

/** A name under which a file can be saved: in no other folder, not hidden, and with its extension. */
function savedName(name: string): string {
  const last = name.split(SEPARATORS).at(-1) ?? '';
  const plain = last
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .slice(-SAVED_NAME_MAX)
    .toWellFormed();
  const words = plain.split(/([. ])/);
  const isWord = (one: string) => one !== '' && one !== '.' && one !== ' ';
  return words.slice(words.findIndex(isWord), words.findLastIndex(isWord) + 1).join('') || 'file';
}

/**
 * Passes a download on as fast as the client takes it.
 *
 * @throws if either side ends early or stalls; the connection is cut then, so that the client notices
 */
export async function sendContent(
  response: ServerResponse,
  file: ReadyFile,
  { body, range }: Extract<Download, { kind: 'content' }>,
  signal: AbortSignal,
): Promise<void> {
  const length = range ? range.last - range.first + 1 : file.bytes;
  const headers = headersOf(file, length);
  if (range) headers['content-range'] = `bytes ${range.first}-${range.last}/${file.bytes}`;
  response.writeHead(range ? 206 : 200, headers);
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(new Error('the download stalled')), IDLE_MS);
  try {
    const count = exactly(length, () => timer.refresh());
    await pipeline(body, count, response, { signal: AbortSignal.any([signal, stalled.signal]) });
  } finally {
    clearTimeout(timer);
  }
}

/** Passes chunks on; fails if they are more or fewer bytes than announced. */
function exactly(length: number, onChunk: () => void): Transform {
  let left = length;
  return new Transform({
    transform(chunk: Buffer, _encoding, pass) {
      onChunk();
      left -= chunk.length;
      if (left < 0) pass(new Error('Slack sent more than it announced'));
      else pass(null, chunk);
    },
    flush(end) {
      end(left > 0 ? new Error('Slack sent less than it announced') : null);
    },
  });
}

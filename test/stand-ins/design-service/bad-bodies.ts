import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';

const CHUNK_BYTES = 64 * 1024;
const DRIPS_PER_SECOND = 10;

/** Writes chunks no faster than they are read. Ends silently if the reader disconnects. */
export async function sendChunks(res: ServerResponse, chunks: AsyncIterable<string | Buffer>) {
  // Whatever interrupts the answer, the reader notices it; there is nothing left to report.
  await pipeline(Readable.from(chunks, { objectMode: false }), res).catch(() => undefined);
}

/** A JSON object's text with that many additional bytes in an unknown field; endless for Infinity. */
export async function* pad(json: string, bytes: number): AsyncGenerator<string> {
  yield '{"padding":"';
  for (let left = bytes; left > 0; left -= CHUNK_BYTES) {
    yield 'x'.repeat(Math.min(left, CHUNK_BYTES));
  }
  yield json.startsWith('{"') ? `",${json.slice(1)}` : '"}';
}

/** Text at that many bytes per second, at least one byte at a time. */
export async function* drip(
  text: string,
  bytesPerSecond: number,
  closing: AbortSignal,
): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  const step = Math.max(1, Math.round(bytesPerSecond / DRIPS_PER_SECOND));
  for (let start = 0; start < bytes.length; start += step) {
    yield bytes.subarray(start, start + step);
    await delay((1000 * step) / bytesPerSecond, undefined, { signal: closing });
  }
}

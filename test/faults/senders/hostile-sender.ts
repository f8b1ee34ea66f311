import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** What an unsigned sender did, and how the app got rid of it. */
export type Sent = {
  kind: HostileKind;
  /** `refused` by an answer, `cut off` without one, or `taken`: answered 2xx, or never ended at all. */
  outcome: 'refused' | 'cut off' | 'taken';
  bytes: number;
  ms: number;
};

/** In this order the first five end within five seconds, the rest within ten. */
export const HOSTILE_KINDS = [
  'announced',
  'chunked',
  'answers never read',
  'trickled headers',
  'silent',
  'trickled body',
  'all but the last byte',
] as const;
export type HostileKind = (typeof HOSTILE_KINDS)[number];

const HUGE_BYTES = 200 * 1024 * 1024;
/** Less than the app is willing to read, so that only time is up. */
const TAKEN_BYTES = 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024, 'x');
const TRICKLE_MS = 200;
/** 64 KiB of requests in one piece. */
const PIPELINED = 1_600;
/** Far beyond every limit of the app's, in ms. */
const GIVEN_UP_MS = 20_000;

type Writing = {
  write(bytes: string | Buffer): Promise<void>;
  isOpen(): boolean;
  /** Takes nothing more from the app. */
  stopReading(): void;
};

const head = (...headers: string[]) =>
  `${['POST /slack/events HTTP/1.1', 'host: app', 'content-type: application/json', ...headers].join('\r\n')}\r\n`;

const WAYS: Record<HostileKind, (to: Writing) => Promise<void>> = {
  async announced(to) {
    await to.write(`${head(`content-length: ${HUGE_BYTES}`)}\r\n`);
    await pour(to, HUGE_BYTES);
  },
  async chunked(to) {
    await to.write(`${head('transfer-encoding: chunked')}\r\n`);
    for (let left = HUGE_BYTES; left > 0 && to.isOpen(); left -= PIECE.length) {
      await to.write(`${PIECE.length.toString(16)}\r\n`);
      await to.write(PIECE);
      await to.write('\r\n');
    }
  },
  async 'answers never read'(to) {
    to.stopReading();
    await to.write('GET /privacy HTTP/1.1\r\nhost: app\r\n\r\n'.repeat(PIPELINED));
    while (to.isOpen()) {
      await to.write('GET');
      await pause(TRICKLE_MS);
    }
  },
  async 'trickled headers'(to) {
    await to.write(head());
    for (let line = 0; to.isOpen(); line += 1) {
      await to.write(`x-${line}: y\r\n`);
      await pause(TRICKLE_MS);
    }
  },
  silent: async () => undefined,
  async 'trickled body'(to) {
    await to.write(`${head(`content-length: ${TAKEN_BYTES}`)}\r\n`);
    while (to.isOpen()) {
      await to.write('x');
      await pause(TRICKLE_MS);
    }
  },
  async 'all but the last byte'(to) {
    await to.write(`${head(`content-length: ${TAKEN_BYTES}`)}\r\n`);
    await pour(to, TAKEN_BYTES - 1);
  },
};

async function pour(to: Writing, bytes: number): Promise<void> {
  for (let left = bytes; left > 0 && to.isOpen(); left -= PIECE.length) {
    await to.write(PIECE.subarray(0, Math.min(left, PIECE.length)));
  }
}

/** Connects to the app and misbehaves until it is cut off, or for 20 s. */
export async function misbehave(port: number, kind: HostileKind): Promise<Sent> {
  const started = performance.now();
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1');
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  // Writing to a closed connection is an error, which is expected here.
  socket.on('error', () => socket.destroy());
  // A sender that is told to stop does: waiting on would only measure our own patience.
  socket.on('end', () => socket.destroy());
  const givenUp = setTimeout(() => socket.destroy(new Error('never cut off')), GIVEN_UP_MS);
  await WAYS[kind](writingTo(socket));
  await closed;
  clearTimeout(givenUp);
  const ms = performance.now() - started;
  return { kind, outcome: outcomeOf(answer, ms), bytes: socket.bytesWritten, ms };
}

function writingTo(socket: Socket): Writing {
  return {
    isOpen: () => !socket.destroyed,
    stopReading: () => void socket.pause(),
    write: (bytes) =>
      new Promise((resolve) => {
        if (socket.destroyed) return resolve();
        socket.write(bytes, () => resolve());
      }),
  };
}

function outcomeOf(answer: string, ms: number): Sent['outcome'] {
  if (ms >= GIVEN_UP_MS) return 'taken';
  const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1];
  if (status === undefined) return 'cut off';
  return status.startsWith('4') ? 'refused' : 'taken';
}

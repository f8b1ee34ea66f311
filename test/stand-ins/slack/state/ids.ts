import { randomBytes } from 'node:crypto';

const ID_TAIL_LENGTH = 9;
const MICROSECONDS_PER_MS = 1000;
const MICROSECONDS_PER_SECOND = 1_000_000;
const TS_FRACTION_DIGITS = 6;

export type Ids = ReturnType<typeof createIds>;

export function createIds(clock: () => Date) {
  let count = 0;
  let lastMicroseconds = 0;
  return {
    next(prefix: string) {
      count += 1;
      return prefix + count.toString(36).toUpperCase().padStart(ID_TAIL_LENGTH, '0');
    },
    /** A new message timestamp, `seconds.microseconds`, later than all before it. */
    ts() {
      const now = clock().getTime() * MICROSECONDS_PER_MS;
      lastMicroseconds = Math.max(now, lastMicroseconds + 1);
      const seconds = Math.floor(lastMicroseconds / MICROSECONDS_PER_SECOND);
      const fraction = String(lastMicroseconds % MICROSECONDS_PER_SECOND);
      return `${seconds}.${fraction.padStart(TS_FRACTION_DIGITS, '0')}`;
    },
    /** Random lower-case hexadecimal text of `bytes` bytes. */
    secret: (bytes: number) => randomBytes(bytes).toString('hex'),
  };
}

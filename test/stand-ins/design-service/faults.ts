import type { Filling } from './answer-call.ts';
import type { Operation } from './api-call.ts';

/** Which calls a fault matches; an absent field matches every call. */
type FaultMatch = {
  operation?: Operation | undefined;
  method?: string | undefined;
  cardId?: string | undefined;
  /** How many calls it affects; by default all until it is removed. */
  times?: number | undefined;
  /** 0 to 1, drawn for each matching call from the service's `random`. */
  probability?: number | undefined;
};

/** What goes wrong. Where `executed` can be given, it says whether the call is executed. */
type FaultEffect =
  /** Executed at once, answered `ms` milliseconds later. */
  | { kind: 'stall'; ms: number }
  /** Never answered; the connection ends with the service. Not executed by default. */
  | { kind: 'hang'; executed?: boolean }
  | { kind: 'reset-before-executing' }
  | { kind: 'drop-after-executing' }
  /** Not executed, with a JSON error body by default. `location` for 3xx. */
  | {
      kind: 'status';
      status: number;
      executed?: boolean | undefined;
      body?: 'json' | 'html' | undefined;
      location?: string | undefined;
      /** By field, as in a 400 of api.md 7. */
      details?: Record<string, string> | undefined;
    }
  /** The following are executed, but answered badly: a page with status 200 … */
  | { kind: 'html' }
  /** … the right answer, with the value at `path` replaced by one of about that many bytes … */
  | {
      kind: 'bloated';
      path: readonly string[];
      filling: Filling;
      bytes: number;
      status?: number | undefined;
    }
  /** … the right answer, with the caller's key in every text. */
  | { kind: 'echoed-key' }
  /** A 429 that the window doesn't explain; without `retryAfter` the header is omitted. */
  | { kind: 'rate-limited'; retryAfter?: string | number | undefined }
  | { kind: 'unauthorized' };

export type Fault = FaultMatch & FaultEffect;

type FaultSubject = Pick<FaultMatch, 'operation' | 'method' | 'cardId'>;

type ArmedFault = { fault: Fault; struck: number };

export function createFaults(random: () => number) {
  let armed: ArmedFault[] = [];

  function strikes(entry: ArmedFault, subject: FaultSubject): boolean {
    const { fault } = entry;
    if (!meets(fault, subject)) return false;
    if (entry.struck >= (fault.times ?? Number.POSITIVE_INFINITY)) return false;
    if (fault.probability !== undefined && random() >= fault.probability) return false;
    entry.struck += 1;
    return true;
  }

  return {
    add(fault: Fault) {
      const entry: ArmedFault = { fault, struck: 0 };
      armed.push(entry);
      return () => {
        armed = armed.filter((other) => other !== entry);
      };
    },
    clear() {
      armed = [];
    },
    list: () => armed.map(({ fault, struck }) => ({ fault, struck })),
    take: (subject: FaultSubject) => armed.find((entry) => strikes(entry, subject))?.fault,
  };
}

const meets = (fault: Fault, subject: FaultSubject): boolean =>
  (['operation', 'method', 'cardId'] as const).every(
    (name) => fault[name] === undefined || fault[name] === subject[name],
  );

/** A small generator (mulberry32) that repeats the same numbers for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

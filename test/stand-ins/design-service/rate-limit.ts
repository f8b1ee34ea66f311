import type { Answers } from './answers.ts';

/** api.md 8: calls are counted per minute. */
export const RATE_WINDOW_MS = 60_000;

/** A key's state. `resetsAt` is in whole seconds since 1970, never earlier than the reset. */
export type RateState = { allowed: boolean; limit: number; remaining: number; resetsAt: number };

type Usage = { windowStartedAt: number; usedInWindow: number; countedAt: number[] };

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** Counts calls per key; `answers.window` says whether the window is fixed or sliding. */
export function createRateLimiter(clock: () => Date, answers: Answers) {
  const usages = new Map<string, Usage>();

  function usageAt(key: string, now: number): Usage {
    const usage = usages.get(key) ?? { windowStartedAt: now, usedInWindow: 0, countedAt: [] };
    usages.set(key, usage);
    if (now >= usage.windowStartedAt + RATE_WINDOW_MS) {
      usage.windowStartedAt = now;
      usage.usedInWindow = 0;
    }
    const firstInside = usage.countedAt.findIndex((at) => at > now - RATE_WINDOW_MS);
    usage.countedAt.splice(0, firstInside === -1 ? usage.countedAt.length : firstInside);
    return usage;
  }

  function stateOf(usage: Usage, limit: number, now: number, allowed: boolean): RateState {
    const sliding = answers.window === 'sliding';
    const used = sliding ? usage.countedAt.length : usage.usedInWindow;
    const start = sliding ? (usage.countedAt[0] ?? now) : usage.windowStartedAt;
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - used),
      resetsAt: Math.ceil((start + RATE_WINDOW_MS) / 1000),
    };
  }

  return {
    /** Counts a call with this key now, unless it exceeds the limit: a refused call is not counted. */
    count(key: string, limit: number) {
      const now = clock().getTime();
      const usage = usageAt(key, now);
      if (stateOf(usage, limit, now, true).remaining === 0) {
        return stateOf(usage, limit, now, false);
      }
      usage.usedInWindow += 1;
      usage.countedAt.push(now);
      return stateOf(usage, limit, now, true);
    },
    /** The same without counting. */
    peek(key: string, limit: number) {
      const now = clock().getTime();
      return stateOf(usageAt(key, now), limit, now, true);
    },
  };
}

/** The three headers of api.md 8 in every authenticated answer. */
export function rateHeaders(state: RateState): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(state.limit),
    'X-RateLimit-Remaining': String(state.remaining),
    'X-RateLimit-Reset': String(state.resetsAt),
  };
}

/** The seconds in `Retry-After` of a 429 (api.md 8). */
export const retryAfterOf = ({ resetsAt }: RateState, now: Date): string =>
  String(Math.max(1, Math.ceil(resetsAt - now.getTime() / 1000)));

import type { CallKind } from './call-class.ts';

/** A call that hasn't returned this long after its time isn't expected any more, in ms. */
const EXPIRES_AFTER_MS = 3_000;
/** How many times are remembered. Further calls get a time, too. */
const MOST_REMEMBERED = 1_000;
/** No call has to wait longer than this for those before it, in ms. */
const LONGEST_WAIT_MS = 60 * 60_000;

/**
 * When refused submissions and links, which wait in the job table, ask again: spread out, in the order in which they
 * were refused, so that few ask in vain. In ms since 1970.
 */
export class ReturnTimes {
  readonly #times: { [kind in CallKind]?: number[] } = { submission: [], posted: [] };

  /** How many are expected, due or not. */
  expected(now: number): { submissions: number; links: number } {
    const { submission = [], posted = [] } = this.#times;
    for (const times of [submission, posted])
      while ((times[0] ?? now) <= now - EXPIRES_AFTER_MS) times.shift();
    return { submissions: submission.length, links: posted.length };
  }

  /** Whether one of this kind is due: the call that asks is then assumed to be the one that was given this time. */
  takeDue(kind: CallKind, now: number): boolean {
    this.expected(now);
    const [next = Number.POSITIVE_INFINITY] = this.#times[kind] ?? [];
    return next <= now && this.#times[kind]?.shift() !== undefined;
  }

  /** Chooses the time for one more call: not before `at`, and `apartMs` after the previous one. */
  add(kind: CallKind, at: number, apartMs: number): number {
    const times = this.#times[kind];
    if (!times) return at;
    const afterOthers = Math.min((times.at(-1) ?? 0) + apartMs, at + LONGEST_WAIT_MS);
    const next = Math.ceil(Math.max(at, afterOthers));
    if (times.length < MOST_REMEMBERED) times.push(next);
    return next;
  }
}

import type { AddedJob } from '../store/job-notifications.ts';

/**
 * What this process knows about due jobs, so that it queries the table only when there may be one. It may
 * expect a job that doesn't exist, but never misses one that it was told about.
 */
export type DueJobs = {
  /** A job was added or postponed, and the change is committed. */
  scheduled(job: AddedJob): void;
  /** Another process may have scheduled jobs. */
  invalidate(): void;
  /** Whether a job of this urgency may be due. */
  mayHave(isUrgent: boolean): boolean;
  /** Whether at most one is due, so that no other workspace's jobs compete with it. */
  isAtMostOne(isUrgent: boolean): boolean;
  claimed(isUrgent: boolean): void;
  /** When the next job is due, in ms since 1970: infinite if there is none, undefined if unknown. */
  nextAt(isUrgent: boolean): number | undefined;
  /**
   * Call this before querying the table. The result is ignored if a job is scheduled meanwhile.
   *
   * @returns functions that record the result: no job is due, or when the next one is
   */
  beginQuery(isUrgent: boolean): {
    noneIsDue(): void;
    nextIsAt(at: Date | undefined): void;
  };
};

type State = {
  /** How many are due at most; infinite if unknown. */
  due: number;
  /** When the earliest other one is due; infinite if there is none, undefined if unknown. */
  nextAt: number | undefined;
  /** Counts scheduled jobs, to notice those that are scheduled during a query. */
  changes: number;
};

export function createDueJobs(now: () => Date): DueJobs {
  const unknown = (): State => ({ due: 0, nextAt: undefined, changes: 0 });
  const states = { urgent: unknown(), others: unknown() };
  const of = (isUrgent: boolean) => (isUrgent ? states.urgent : states.others);

  return {
    scheduled({ isUrgent, runAt }) {
      const state = of(isUrgent);
      state.changes += 1;
      const at = runAt.getTime();
      if (at <= now().getTime()) state.due += 1;
      else if (state.nextAt !== undefined) state.nextAt = Math.min(state.nextAt, at);
    },

    invalidate() {
      for (const state of [states.urgent, states.others]) state.nextAt = undefined;
    },

    mayHave(isUrgent) {
      const state = of(isUrgent);
      if (state.nextAt !== undefined && state.nextAt <= now().getTime()) {
        state.due = Number.POSITIVE_INFINITY;
        state.nextAt = undefined;
      }
      return state.due > 0;
    },

    isAtMostOne: (isUrgent) => of(isUrgent).due <= 1,

    claimed(isUrgent) {
      const state = of(isUrgent);
      state.due = Math.max(0, state.due - 1);
    },

    nextAt: (isUrgent) => of(isUrgent).nextAt,

    beginQuery(isUrgent) {
      const state = of(isUrgent);
      const { changes } = state;
      return {
        noneIsDue() {
          if (state.changes !== changes) return;
          // Another replica claimed it, or our clock is behind the one that scheduled it.
          if (state.due > 0) state.nextAt = undefined;
          state.due = 0;
        },
        nextIsAt(at) {
          if (state.changes !== changes) return;
          state.nextAt = at ? at.getTime() : Number.POSITIVE_INFINITY;
        },
      };
    },
  };
}

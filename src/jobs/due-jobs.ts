import type { AddedJob } from '../store/job-notifications.ts';

/**
 * What this process knows about jobs that are due, so that it asks the table only when there may be one.
 * It may expect a job that isn't there, but never misses one that it was told about.
 */
export type DueJobs = {
  /** A job was added or postponed, and is committed. */
  scheduled(job: AddedJob): void;
  /** Jobs may have been scheduled that this process wasn't told about. */
  forget(): void;
  /** Whether a job of this urgency may be due. */
  mayHave(isUrgent: boolean): boolean;
  /** Whether it is at most one, so that no other workspace's jobs compete with it. */
  isAtMostOne(isUrgent: boolean): boolean;
  claimed(isUrgent: boolean): void;
  /** When the next job is due, in ms since 1970: infinite if none waits, undefined if the table has to be asked. */
  nextAt(isUrgent: boolean): number | undefined;
  /**
   * To be called before the table is asked, since a job may be scheduled while it answers.
   *
   * @returns takes the answer: that no job is due, or when the next one is
   */
  asking(isUrgent: boolean): {
    noneIsDue(): void;
    nextIsAt(at: Date | undefined): void;
  };
};

type State = {
  /** How many are due at most; infinite if nobody knows. */
  due: number;
  /** When the earliest other one is due; infinite if none waits, undefined if nobody knows. */
  nextAt: number | undefined;
  /** Grows with each job that is scheduled. */
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

    forget() {
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

    asking(isUrgent) {
      const state = of(isUrgent);
      const { changes } = state;
      return {
        noneIsDue() {
          if (state.changes !== changes) return;
          // It was claimed by another replica, or the clock is behind the one that scheduled it.
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

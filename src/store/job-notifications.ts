export type AddedJob = { isUrgent: boolean; runAt: Date };

/** Tells the job runner of this process about added jobs. */
export type JobNotifications = {
  /** Call this once they are committed. */
  added(jobs: readonly AddedJob[]): void;
  listen(listener: (jobs: readonly AddedJob[]) => void): void;
};

export function createJobNotifications(): JobNotifications {
  const listeners = new Set<(jobs: readonly AddedJob[]) => void>();
  return {
    added(jobs) {
      for (const listener of listeners) listener(jobs);
    },
    listen: (listener) => void listeners.add(listener),
  };
}

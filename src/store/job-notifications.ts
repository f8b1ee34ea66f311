/** A job that was added: whether a person waits for it, and when it may run. */
export type AddedJob = { isUrgent: boolean; runAt: Date };

/** How the job runner of this process is told about jobs that were added. */
export type JobNotifications = {
  /** To be called once they are committed. */
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

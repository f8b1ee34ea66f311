/** Tells the job runner of this process when added jobs are to run. */
export type JobNotifications = {
  /** Call this once they are committed. */
  added(runAt: readonly Date[]): void;
  listen(listener: (runAt: readonly Date[]) => void): void;
};

export function createJobNotifications(): JobNotifications {
  const listeners = new Set<(runAt: readonly Date[]) => void>();
  return {
    added(runAt) {
      for (const listener of listeners) listener(runAt);
    },
    listen: (listener) => void listeners.add(listener),
  };
}

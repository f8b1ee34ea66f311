export type JobNotifications = ReturnType<typeof createJobNotifications>;

/** Tells the job runner of this process when added jobs are to run. */
export function createJobNotifications() {
  const listeners = new Set<(runAt: readonly Date[]) => void>();
  return {
    /** Call this once they are committed. */
    added(runAt: readonly Date[]) {
      for (const listener of listeners) listener(runAt);
    },
    listen: (listener: (runAt: readonly Date[]) => void) => void listeners.add(listener),
  };
}

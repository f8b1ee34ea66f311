/** How those who run jobs hear of those that were added. */
export type JobArrivals = {
  /** To be called once they are committed. */
  tell(): void;
  listen(listener: () => void): void;
};

export function createJobArrivals(): JobArrivals {
  const listeners = new Set<() => void>();
  return {
    tell() {
      for (const listener of listeners) listener();
    },
    listen: (listener) => void listeners.add(listener),
  };
}

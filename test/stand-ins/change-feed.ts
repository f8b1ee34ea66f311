/** Listeners that get each change, in the order in which they were added. */
export function createFeed<Change>() {
  const listeners = new Set<(change: Change) => void>();
  return {
    emit(change: Change) {
      for (const listener of [...listeners]) listener(change);
    },
    onChange(listener: (change: Change) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export type Feed<Change> = ReturnType<typeof createFeed<Change>>;

/** The first truthy value of `read`, called now and after every change. Rejects after that many real ms. */
export function until<T>(
  feed: Feed<void>,
  read: () => T,
  what: string,
  timeoutMs: number,
): Promise<Exclude<T, undefined | null | false | '' | 0>> {
  type Found = Exclude<T, undefined | null | false | '' | 0>;
  const isFound = (value: T): value is T & Found => Boolean(value);
  const now = read();
  if (isFound(now)) return Promise.resolve(now);
  return new Promise<Found>((resolve, reject) => {
    const timer = setTimeout(() => {
      stop();
      reject(new Error(`Waited ${timeoutMs} ms in vain for: ${what}`));
    }, timeoutMs);
    const stop = feed.onChange(() => {
      const value = read();
      if (!isFound(value)) return;
      clearTimeout(timer);
      stop();
      resolve(value);
    });
  });
}

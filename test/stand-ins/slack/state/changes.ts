/** What changed, for a page or a test that waits for it. */
export type Change =
  | 'workspace'
  | 'user'
  | 'channel'
  | 'message'
  | 'ephemeral'
  | 'preview'
  | 'view'
  | 'home'
  | 'pane'
  | 'delivery'
  | 'execution'
  | 'api_call'
  | 'sockets';

export interface ChangeFeed {
  emit(change: Change): void;
  /** Calls the listener after every change. @returns what removes it */
  onChange(listener: (change: Change) => void): () => void;
}

/** A list of listeners that get the kind of each change. */
export function createChangeFeed(): ChangeFeed {
  const listeners = new Set<(change: Change) => void>();
  return {
    emit(change) {
      for (const listener of [...listeners]) listener(change);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * Resolves to the first truthy value of `read`, which is called now and after every change. Rejects with `what` in
 * the message if there is none within `timeoutMs` (real milliseconds).
 */
export function until<T>(
  feed: ChangeFeed,
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

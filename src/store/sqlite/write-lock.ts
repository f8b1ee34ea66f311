import { DatabaseBusyError } from './busy.ts';

/** Allows one write at a time, in the order in which they were requested. */
export type WriteLock = {
  /**
   * @param until when to give up, by `performance.now()`
   * @returns a function that releases the lock
   * @throws DatabaseBusyError if the lock isn't free by then
   */
  take(until: number): Promise<() => void>;
};

export function createWriteLock(): WriteLock {
  const waiting: (() => void)[] = [];
  let isTaken = false;

  function end(): void {
    const next = waiting.shift();
    if (next) next();
    else isTaken = false;
  }

  function waitInLine(until: number): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const begin = () => {
      clearTimeout(timer);
      resolve(end);
    };
    const giveUp = () => {
      waiting.splice(waiting.indexOf(begin), 1);
      reject(new DatabaseBusyError());
    };
    const timer = setTimeout(giveUp, until - performance.now());
    waiting.push(begin);
    return promise;
  }

  return {
    async take(until) {
      if (isTaken) return waitInLine(until);
      isTaken = true;
      return end;
    },
  };
}

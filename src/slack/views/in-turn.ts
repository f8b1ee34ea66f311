import { LRUCache } from 'lru-cache';
import { atMost } from '../../bounds.ts';

const MAX_KEYS = 10_000;

/** Runs what draws the same thing, such as a view, one after the other. */
export function createTurns() {
  /** The end of the newest work on each. */
  const latest = new LRUCache<string, Promise<void>>(atMost(MAX_KEYS));

  /** @param work is told whether newer work waits */
  return function inTurn<Result>(
    key: string,
    work: (isLatest: () => boolean) => Promise<Result>,
  ): Promise<Result> {
    const previous = latest.get(key) ?? Promise.resolve();
    const current = previous.then(() => work(() => latest.get(key) === end));
    const end: Promise<void> = current.then(
      () => undefined,
      () => undefined,
    );
    latest.set(key, end);
    return current;
  };
}

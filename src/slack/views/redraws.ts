import { LRUCache } from 'lru-cache';
import { atMost } from '../../bounds.ts';

/** Changes to open views, one at a time per view. */
export type Redraws = {
  /** @param draw is told whether a newer change of this view has arrived; it should do nothing then */
  run<Result>(viewId: string, draw: (isLatest: () => boolean) => Promise<Result>): Promise<Result>;
};

const MAX_VIEWS = 1_000;

/** People may change a form faster than Slack draws it. */
export function createRedraws(): Redraws {
  /** The end of the newest change of each view. */
  const latest = new LRUCache<string, Promise<void>>(atMost(MAX_VIEWS));
  return {
    run(viewId, draw) {
      const previous = latest.get(viewId) ?? Promise.resolve();
      const current = previous.then(() => draw(() => latest.get(viewId) === end));
      const end: Promise<void> = current.then(
        () => undefined,
        () => undefined,
      );
      latest.set(viewId, end);
      return current;
    },
  };
}

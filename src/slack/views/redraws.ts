import { LRUCache } from 'lru-cache';
import { atMost } from '../../bounds.ts';

/** Changes to open views, one at a time per view. */
export type Redraws = {
  /**
   * @param id of this change
   * @param draw is told whether a newer change of this view has arrived; it should do nothing then
   */
  run<Result>(
    change: { viewId: string; id: string },
    draw: (isLatest: () => boolean) => Promise<Result>,
  ): Promise<Result>;
};

const MAX_VIEWS = 1_000;

/** People may change a form faster than Slack draws it. */
export function createRedraws(): Redraws {
  const latest = new LRUCache<string, string>(atMost(MAX_VIEWS));
  const drawing = new LRUCache<string, Promise<unknown>>(atMost(MAX_VIEWS));
  return {
    run({ viewId, id }, draw) {
      latest.set(viewId, id);
      const previous = drawing.get(viewId) ?? Promise.resolve();
      const current = previous
        .catch(() => undefined)
        .then(() => draw(() => latest.get(viewId) === id));
      drawing.set(viewId, current);
      return current;
    },
  };
}

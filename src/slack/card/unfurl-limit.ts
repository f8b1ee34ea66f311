import { LRUCache } from 'lru-cache';
import { atMost, forAtMost } from '../../bounds.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';

const MAX_WORKSPACES = 10_000;
/** Posted links that waited are shown at different times within this, so that they aren't refused together. */
const SPREAD_MS = 10_000;

/** The workspaces for which Slack refuses `chat.unfurl` until some time. It limits each by itself. */
export function createUnfurlLimit(now: () => Date) {
  const limited = new LRUCache<WorkspaceId, true>({
    ...atMost(MAX_WORKSPACES),
    ...forAtMost(SPREAD_MS, now),
  });
  const leftMs = (workspaceId: WorkspaceId) => limited.getRemainingTTL(workspaceId) - SPREAD_MS;

  return {
    /** Whether posted links are waiting, which come before previews and redrawing. */
    isLimited: (workspaceId: WorkspaceId) => leftMs(workspaceId) > -SPREAD_MS,

    /** When to show a posted link; undefined if it may be shown now. */
    retryAt(workspaceId: WorkspaceId): Date | undefined {
      const left = leftMs(workspaceId);
      if (left <= 0) return undefined;
      return new Date(now().getTime() + left + Math.random() * SPREAD_MS);
    },

    /** @param until as Slack's 429 says */
    limit(workspaceId: WorkspaceId, until: Date): void {
      const left = until.getTime() - now().getTime();
      if (left > leftMs(workspaceId)) limited.set(workspaceId, true, { ttl: left + SPREAD_MS });
    },
  };
}

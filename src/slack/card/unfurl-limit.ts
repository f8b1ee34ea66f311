import { LRUCache } from 'lru-cache';
import { atMost } from '../../bounds.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';

const MAX_WORKSPACES = 10_000;
/** Those that waited try again at different times within this, so that they aren't refused together. */
const SPREAD_MS = 10_000;

export type UnfurlLimit = ReturnType<typeof createUnfurlLimit>;

/** The workspaces for which Slack refuses `chat.unfurl` until some time. It limits each by itself. */
export function createUnfurlLimit(now: () => Date) {
  const limitedUntil = new LRUCache<WorkspaceId, number>(atMost(MAX_WORKSPACES));
  const isLimited = (workspaceId: WorkspaceId) =>
    (limitedUntil.get(workspaceId) ?? 0) > now().getTime();

  /** When to try again; undefined if the workspace isn't limited. */
  function retryAt(workspaceId: WorkspaceId): Date | undefined {
    if (!isLimited(workspaceId)) return undefined;
    return new Date((limitedUntil.get(workspaceId) ?? 0) + Math.random() * SPREAD_MS);
  }

  return {
    isLimited,
    retryAt,
    /** @param until as Slack's 429 says */
    limit(workspaceId: WorkspaceId, until: Date): void {
      limitedUntil.set(workspaceId, Math.max(until.getTime(), limitedUntil.get(workspaceId) ?? 0));
    },
  };
}

import { LRUCache } from 'lru-cache';
import { atMost } from '../../at-most.ts';
import { watchForSetBack } from '../../clock.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';

/**
 * Limits `chat.unfurl`, which Slack limits per workspace. After a workspace's first 429, its
 * unfurls run one by one, the oldest first, instead of each causing a 429 of its own. Other
 * workspaces are not affected.
 */
export type UnfurlLimiter = {
  /**
   * Asks to run an unfurl now.
   *
   * @param postponedTo the time that this job was given before, if any
   * @returns the time at which to ask again, or, if it may run now, the function to call when done
   */
  acquire(workspaceId: WorkspaceId, postponedTo: Date | undefined): Date | (() => void);
  /** Whether no unfurl is waiting. If one is, previews are skipped. */
  isIdle(workspaceId: WorkspaceId): boolean;
  /** Whether Slack currently refuses unfurls of the workspace. */
  isLimited(workspaceId: WorkspaceId): boolean;
  /**
   * For a running unfurl: the time at which to ask again if Slack has limited the workspace
   * meanwhile.
   */
  retryIfLimited(workspaceId: WorkspaceId): Date | undefined;
  /**
   * Reports that Slack limited a call.
   *
   * @returns the time at which to ask again
   */
  reportLimited(workspaceId: WorkspaceId, retryAt: Date): Date;
};

/** Slack's tier 3 allows 50 or more (docs.slack.dev/apis/web-api/rate-limits). */
const UNFURLS_PER_MINUTE = 48;
const WINDOW_MS = 60_000;
const MIN_PAUSE_MS = WINDOW_MS / UNFURLS_PER_MINUTE;
/** If other replicas use up the same limit, pauses double up to this. */
const MAX_PAUSE_MS = 10_000;
const MAX_QUEUES = 10_000;

/** The queue of a limited workspace. Times in ms since the epoch. */
type Queue = {
  limitedUntil: number;
  limitedAt: number;
  lastStart: number;
  pauseMs: number;
  /** Reserved start times. */
  reserved: Set<number>;
  /** The latest reserved start time. */
  back: number;
  /** The same for jobs that already had a reservation and lost it; they come first. */
  front: number | undefined;
};

export function createUnfurlLimiter(now: () => Date): UnfurlLimiter {
  const queues = new LRUCache<WorkspaceId, Queue>(atMost(MAX_QUEUES));
  const running = new Map<WorkspaceId, number>();
  const nowMs = () => now().getTime();
  const isClockSetBack = watchForSetBack(now);

  /** A queue is dropped a minute after its last unfurl. */
  function queueOf(workspaceId: WorkspaceId): Queue | undefined {
    // Reservations are in the future of a clock that was set back. If Slack still limits a
    // workspace, it says so again.
    if (isClockSetBack()) queues.clear();
    const queue = queues.get(workspaceId);
    if (!queue) return undefined;
    const quietSince = Math.max(queue.limitedUntil, queue.back, queue.lastStart);
    if (nowMs() <= quietSince + WINDOW_MS) return queue;
    queues.delete(workspaceId);
    return undefined;
  }

  const isLimited = (queue: Queue) => nowMs() < queue.limitedUntil;
  const isQueueEmpty = (queue: Queue) => queue.back <= nowMs();

  function reserve(queue: Queue, isOlder: boolean): Date {
    const slot =
      isOlder && queue.front !== undefined
        ? queue.front + queue.pauseMs
        : Math.max(queue.back + queue.pauseMs, queue.limitedUntil, nowMs());
    if (isOlder && queue.front !== undefined) queue.front = slot;
    queue.back = Math.max(queue.back, slot);
    if (queue.front !== undefined && queue.front >= queue.back) queue.front = undefined;
    queue.reserved.add(slot);
    return new Date(slot);
  }

  function mayStart(queue: Queue, postponedTo: Date | undefined): boolean {
    if (isLimited(queue)) return false;
    if (postponedTo && queue.reserved.delete(postponedTo.getTime())) return true;
    // Another replica may have reserved it, so it counts as the next one here.
    const isNext = postponedTo !== undefined || isQueueEmpty(queue);
    return isNext && nowMs() >= queue.lastStart + queue.pauseMs;
  }

  function limit(workspaceId: WorkspaceId, until: number): Queue {
    const at = nowMs();
    const queue = queueOf(workspaceId);
    if (!queue) {
      // Unfurls that are running now will be limited, too, and they came first.
      const before = (running.get(workspaceId) ?? 1) - 1;
      const opened: Queue = {
        limitedUntil: until,
        limitedAt: at,
        lastStart: at,
        pauseMs: MIN_PAUSE_MS,
        reserved: new Set(),
        front: until - MIN_PAUSE_MS,
        back: until + before * MIN_PAUSE_MS,
      };
      queues.set(workspaceId, opened);
      return opened;
    }
    // Calls that ran at the same time hit the same limit.
    if (!isLimited(queue)) {
      queue.pauseMs = Math.min(queue.pauseMs * 2, MAX_PAUSE_MS);
      queue.reserved.clear();
      queue.front = until - queue.pauseMs;
      queue.back = Math.max(queue.back + until - at, until);
    }
    queue.limitedAt = at;
    queue.limitedUntil = Math.max(queue.limitedUntil, until);
    return queue;
  }

  function start(workspaceId: WorkspaceId): () => void {
    running.set(workspaceId, (running.get(workspaceId) ?? 0) + 1);
    return () => {
      const left = (running.get(workspaceId) ?? 1) - 1;
      if (left > 0) running.set(workspaceId, left);
      else running.delete(workspaceId);
    };
  }

  return {
    acquire(workspaceId, postponedTo) {
      const queue = queueOf(workspaceId);
      if (!queue) return start(workspaceId);
      if (nowMs() > queue.limitedAt + WINDOW_MS) queue.pauseMs = MIN_PAUSE_MS;
      if (!mayStart(queue, postponedTo)) return reserve(queue, postponedTo !== undefined);
      queue.lastStart = nowMs();
      return start(workspaceId);
    },
    isIdle(workspaceId) {
      const queue = queueOf(workspaceId);
      return !queue || (!isLimited(queue) && isQueueEmpty(queue));
    },
    isLimited(workspaceId) {
      const queue = queueOf(workspaceId);
      return queue !== undefined && isLimited(queue);
    },
    retryIfLimited(workspaceId) {
      const queue = queueOf(workspaceId);
      return queue && isLimited(queue) ? reserve(queue, true) : undefined;
    },
    reportLimited: (workspaceId, retryAt) => reserve(limit(workspaceId, retryAt.getTime()), true),
  };
}

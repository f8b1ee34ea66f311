import { LRUCache } from 'lru-cache';
import { watchForSetBack } from '../../clock.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';

/**
 * Whose turn it is to unfurl, workspace by workspace. Slack limits `chat.unfurl` for each workspace;
 * once it has said so, that workspace's unfurls go one by one, the oldest first, instead of each
 * provoking a 429 of its own. Other workspaces are not held up.
 */
export type UnfurlLimiter = {
  /**
   * Asks for a turn.
   *
   * @param postponedTo the moment that this job was given before; undefined where it comes first
   * @returns the moment at which to ask again; where it is this job's turn now, what ends the turn
   */
  take(workspaceId: WorkspaceId, postponedTo: Date | undefined): Date | (() => void);
  /** Whether nobody waits: else what nobody would miss is left out. */
  isFree(workspaceId: WorkspaceId): boolean;
  /** Whether Slack takes no unfurl of the workspace for now. */
  isClosed(workspaceId: WorkspaceId): boolean;
  /** For whoever has the turn: where that was lost meanwhile, the moment at which to ask again. */
  ifLost(workspaceId: WorkspaceId): Date | undefined;
  /** Slack limited a call. @returns the moment at which whoever made it asks for a turn again */
  limited(workspaceId: WorkspaceId, retryAt: Date): Date;
};

/** Slack's tier 3 allows 50 and more (https://docs.slack.dev/apis/web-api/rate-limits); 2 to spare. */
const TURNS_A_MINUTE = 48;
const WINDOW_MS = 60_000;
const SHORTEST_PAUSE_MS = WINDOW_MS / TURNS_A_MINUTE;
/** Where others use up the same limit, such as replicas, the pauses double up to this. */
const LONGEST_PAUSE_MS = 10_000;
const MOST_LANES = 10_000;

/** One workspace that Slack has limited. Moments in ms since 1970. */
type Lane = {
  closedUntil: number;
  limitedAt: number;
  lastTurn: number;
  pauseMs: number;
  /** Moments that were promised and hold. */
  promised: Set<number>;
  /** The last moment that was promised. */
  back: number;
  /** The same for those who come before these: they had a turn, or a moment, and lost it. */
  front: number | undefined;
};

export function createUnfurlLimiter(now: () => Date): UnfurlLimiter {
  const lanes = new LRUCache<WorkspaceId, Lane>({ max: MOST_LANES });
  const turnsUnderWay = new Map<WorkspaceId, number>();
  const nowMs = () => now().getTime();
  const isClockSetBack = watchForSetBack(now);

  /** A lane is left open to all again a minute after everybody has had their turn. */
  function laneOf(workspaceId: WorkspaceId): Lane | undefined {
    // By this clock their moments come too late. Where Slack still limits a workspace, it says so again.
    if (isClockSetBack()) lanes.clear();
    const lane = lanes.get(workspaceId);
    if (!lane) return undefined;
    const quietSince = Math.max(lane.closedUntil, lane.back, lane.lastTurn);
    if (nowMs() <= quietSince + WINDOW_MS) return lane;
    lanes.delete(workspaceId);
    return undefined;
  }

  const isClosed = (lane: Lane) => nowMs() < lane.closedUntil;
  const isQueueEmpty = (lane: Lane) => lane.back <= nowMs();

  function promise(lane: Lane, isOlder: boolean): Date {
    const slot =
      isOlder && lane.front !== undefined
        ? lane.front + lane.pauseMs
        : Math.max(lane.back + lane.pauseMs, lane.closedUntil, nowMs());
    if (isOlder && lane.front !== undefined) lane.front = slot;
    lane.back = Math.max(lane.back, slot);
    if (lane.front !== undefined && lane.front >= lane.back) lane.front = undefined;
    lane.promised.add(slot);
    return new Date(slot);
  }

  function isTurn(lane: Lane, postponedTo: Date | undefined): boolean {
    if (isClosed(lane)) return false;
    if (postponedTo && lane.promised.delete(postponedTo.getTime())) return true;
    // Another replica may have promised it something: it is as good as the next one here.
    const mayGo = postponedTo !== undefined || isQueueEmpty(lane);
    return mayGo && nowMs() >= lane.lastTurn + lane.pauseMs;
  }

  function close(workspaceId: WorkspaceId, until: number): Lane {
    const at = nowMs();
    const lane = laneOf(workspaceId);
    if (!lane) {
      // Those who have their turn now will lose it as well, and they came before all others.
      const before = (turnsUnderWay.get(workspaceId) ?? 1) - 1;
      const opened: Lane = {
        ...{ closedUntil: until, limitedAt: at, lastTurn: at, pauseMs: SHORTEST_PAUSE_MS },
        promised: new Set(),
        front: until - SHORTEST_PAUSE_MS,
        back: until + before * SHORTEST_PAUSE_MS,
      };
      lanes.set(workspaceId, opened);
      return opened;
    }
    // Calls that were under way together are limited together: that is one and the same limit.
    if (!isClosed(lane)) {
      lane.pauseMs = Math.min(lane.pauseMs * 2, LONGEST_PAUSE_MS);
      lane.promised.clear();
      lane.front = until - lane.pauseMs;
      lane.back = Math.max(lane.back + until - at, until);
    }
    lane.limitedAt = at;
    lane.closedUntil = Math.max(lane.closedUntil, until);
    return lane;
  }

  function begin(workspaceId: WorkspaceId): () => void {
    turnsUnderWay.set(workspaceId, (turnsUnderWay.get(workspaceId) ?? 0) + 1);
    return () => {
      const left = (turnsUnderWay.get(workspaceId) ?? 1) - 1;
      if (left > 0) turnsUnderWay.set(workspaceId, left);
      else turnsUnderWay.delete(workspaceId);
    };
  }

  return {
    take(workspaceId, postponedTo) {
      const lane = laneOf(workspaceId);
      if (!lane) return begin(workspaceId);
      if (nowMs() > lane.limitedAt + WINDOW_MS) lane.pauseMs = SHORTEST_PAUSE_MS;
      if (!isTurn(lane, postponedTo)) return promise(lane, postponedTo !== undefined);
      lane.lastTurn = nowMs();
      return begin(workspaceId);
    },
    isFree(workspaceId) {
      const lane = laneOf(workspaceId);
      return !lane || (!isClosed(lane) && isQueueEmpty(lane));
    },
    isClosed(workspaceId) {
      const lane = laneOf(workspaceId);
      return lane !== undefined && isClosed(lane);
    },
    ifLost(workspaceId) {
      const lane = laneOf(workspaceId);
      return lane && isClosed(lane) ? promise(lane, true) : undefined;
    },
    limited: (workspaceId, retryAt) => promise(close(workspaceId, retryAt.getTime()), true),
  };
}

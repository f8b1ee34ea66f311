import type { WorkspaceId } from '../installations/workspace-id.ts';

/**
 * Limits how many downloads run at once, so that Slack's deliveries never wait for them. Others wait for a while:
 * a service that asks for all files of a request at once gets them one after the other.
 */
export type DownloadSlots = {
  /**
   * @param signal ends the wait
   * @returns a function that frees the slot; undefined if none became free in time, or too many wait
   */
  take(workspaceId: WorkspaceId, signal: AbortSignal): Promise<(() => void) | undefined>;
};

/** In one process. */
const MAX_DOWNLOADS = 12;
/** One workspace's files must not keep others waiting. */
const MAX_PER_WORKSPACE = 6;
const MAX_WAITING = 100;
/** How long a download waits, in ms: less than clients usually wait for the first byte. */
const WAIT_MS = 20_000;

type Waiting = { workspaceId: WorkspaceId; start: (free: () => void) => void };

export function createDownloadSlots(): DownloadSlots {
  const running = new Map<WorkspaceId, number>();
  const waiting = new Set<Waiting>();
  let total = 0;

  const hasRoom = (workspaceId: WorkspaceId) =>
    total < MAX_DOWNLOADS && (running.get(workspaceId) ?? 0) < MAX_PER_WORKSPACE;

  function occupy(workspaceId: WorkspaceId): () => void {
    total += 1;
    running.set(workspaceId, (running.get(workspaceId) ?? 0) + 1);
    return () => {
      total -= 1;
      const left = (running.get(workspaceId) ?? 1) - 1;
      if (left > 0) running.set(workspaceId, left);
      else running.delete(workspaceId);
      startNext();
    };
  }

  function startNext(): void {
    for (const next of waiting) {
      if (!hasRoom(next.workspaceId)) continue;
      waiting.delete(next);
      next.start(occupy(next.workspaceId));
      return;
    }
  }

  return {
    async take(workspaceId, signal) {
      if (hasRoom(workspaceId)) return occupy(workspaceId);
      if (waiting.size >= MAX_WAITING) return undefined;
      const { promise: started, resolve } = Promise.withResolvers<(() => void) | undefined>();
      const entry: Waiting = { workspaceId, start: resolve };
      const giveUp = () => {
        waiting.delete(entry);
        resolve(undefined);
      };
      waiting.add(entry);
      signal.addEventListener('abort', giveUp);
      const timer = setTimeout(giveUp, WAIT_MS);
      return started.finally(() => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
      });
    },
  };
}

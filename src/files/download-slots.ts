import type { WorkspaceId } from '../installations/workspace-id.ts';

/** In one process, so that Slack's deliveries never wait for downloads. */
const MAX_DOWNLOADS = 12;
/** How long a download waits for a slot, in ms: less than clients usually wait for the first byte. */
const WAIT_MS = 20_000;

type Download = { workspaceId: WorkspaceId; isRunning: boolean; start: () => void };

/**
 * Limits how many downloads run at once. Each workspace gets an equal share of the slots, and one more
 * share stays free for the next. The others wait: a service that asks for all files of a request at
 * once gets them one after the other.
 */
export function createDownloadSlots() {
  /** In the order in which they asked. */
  const downloads = new Set<Download>();
  /** Those with a waiting download, although they use less than their share. */
  let keptOut = new Set<WorkspaceId>();

  function startWaiting(): void {
    const running = new Map<WorkspaceId, number>();
    let free = MAX_DOWNLOADS;
    for (const { workspaceId, isRunning } of downloads) {
      running.set(workspaceId, (running.get(workspaceId) ?? 0) + Number(isRunning));
      free -= Number(isRunning);
    }
    const share = Math.max(1, Math.floor(MAX_DOWNLOADS / (running.size + 1)));
    keptOut = new Set();
    for (const download of downloads) {
      const own = running.get(download.workspaceId) ?? 0;
      if (download.isRunning || own >= share) continue;
      if (free === 0) {
        keptOut.add(download.workspaceId);
        continue;
      }
      free -= 1;
      running.set(download.workspaceId, own + 1);
      download.isRunning = true;
      download.start();
    }
  }

  return {
    /** @returns the slot, to be disposed of; undefined if none became free in time */
    async take(workspaceId: WorkspaceId, signal: AbortSignal) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const giveUp = () => resolve(false);
      const download = { workspaceId, isRunning: false, start: () => resolve(true) };
      const slot = {
        /** Whether another workspace waits for its share. */
        isWanted: () => [...keptOut].some((id) => id !== workspaceId),
        [Symbol.dispose]() {
          downloads.delete(download);
          startWaiting();
        },
      };
      downloads.add(download);
      startWaiting();
      const timer = setTimeout(giveUp, WAIT_MS);
      signal.addEventListener('abort', giveUp, { once: true });
      const isStarted = await promise;
      clearTimeout(timer);
      if (isStarted) return slot;
      slot[Symbol.dispose]();
      return undefined;
    },
  };
}

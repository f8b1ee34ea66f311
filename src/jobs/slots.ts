import type { WorkspaceId } from '../installations/workspace-id.ts';

type RunningJob = { workspaceId: WorkspaceId; isUrgent: boolean };

/** Concurrency slots: how many jobs may run at once, in total and per workspace. */
export type Slots = {
  take(job: RunningJob): void;
  free(job: RunningJob): void;
  /** Whether any job of this urgency may start. */
  hasRoom(isUrgent: boolean): boolean;
  /** The workspaces that may not start another job of this urgency now. */
  full(isUrgent: boolean): WorkspaceId[];
  /**
   * Lists of workspaces to skip, for one claim attempt after the other: first those with any running job, then
   * those with several, finally only the full ones. So a workspace with few running jobs goes before one with
   * many, however long its queue.
   */
  skipLists(isUrgent: boolean): WorkspaceId[][];
};

/** Jobs wait for the network rather than the processor, so many can run at once. */
const SLOTS = 32;
/** Reserved, so that many posted links don't delay people's requests. */
const URGENT_ONLY = 8;
/** Limits per workspace, so that one with slow calls leaves slots to others: a third of the rest, half of all. */
const OTHERS_PER_WORKSPACE = 8;
const URGENT_PER_WORKSPACE = 16;
/** Workspaces with fewer running jobs than each of these go first. */
const FAIR_SHARES = [1, 2, 4, 8] as const;

export function createSlots(): Slots {
  const urgent = new Map<WorkspaceId, number>();
  const others = new Map<WorkspaceId, number>();
  const taken = { all: 0, others: 0 };

  const countsOf = (isUrgent: boolean) => (isUrgent ? urgent : others);
  const limitOf = (isUrgent: boolean) => (isUrgent ? URGENT_PER_WORKSPACE : OTHERS_PER_WORKSPACE);

  function change({ workspaceId, isUrgent }: RunningJob, by: 1 | -1): void {
    taken.all += by;
    if (!isUrgent) taken.others += by;
    const counts = countsOf(isUrgent);
    const count = (counts.get(workspaceId) ?? 0) + by;
    if (count > 0) counts.set(workspaceId, count);
    else counts.delete(workspaceId);
  }

  const withAtLeast = (isUrgent: boolean, share: number): WorkspaceId[] =>
    [...countsOf(isUrgent)].filter(([, count]) => count >= share).map(([id]) => id);

  return {
    take: (job) => change(job, 1),
    free: (job) => change(job, -1),
    hasRoom: (isUrgent) => taken.all < SLOTS && (isUrgent || taken.others < SLOTS - URGENT_ONLY),
    full: (isUrgent) => withAtLeast(isUrgent, limitOf(isUrgent)),
    skipLists(isUrgent) {
      const limit = limitOf(isUrgent);
      const shares = [...FAIR_SHARES.filter((share) => share < limit), limit];
      const lists = shares.map((share) => withAtLeast(isUrgent, share));
      // Each list is a subset of the one before it, so lists of equal length are the same.
      return lists.filter((list, index) => list.length !== lists[index + 1]?.length);
    },
  };
}

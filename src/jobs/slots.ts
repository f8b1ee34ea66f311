import type { WorkspaceId } from '../installations/workspace-id.ts';

type Occupant = { workspaceId: WorkspaceId; isUrgent: boolean };

/** Concurrency slots: how many jobs run at once, in all and for each workspace. */
export type Slots = {
  take(job: Occupant): void;
  free(job: Occupant): void;
  /** Whether a job of this urgency may begin at all. */
  hasRoom(isUrgent: boolean): boolean;
  /** Workspaces that may not begin another job of this urgency for now. */
  full(isUrgent: boolean): WorkspaceId[];
  /**
   * Which workspaces to skip when the next job is claimed, first attempt first: those with running jobs,
   * then those with several, and last only the full ones. So a workspace with few running jobs goes before
   * one with many, however long its queue.
   */
  skippedInTurn(isUrgent: boolean): WorkspaceId[][];
};

/** Jobs wait for the network, not for the processor, so many may run at once. */
const SLOTS = 32;
/** Slots for urgent jobs only: a flood of links delays nobody who sends a request. */
const KEPT_FOR_URGENT = 8;
/** One workspace's slow calls leave slots for others: a third of the rest, half of all. */
const OTHERS_PER_WORKSPACE = 8;
const URGENT_PER_WORKSPACE = 16;
/** How many running jobs make a workspace wait until those with fewer had their turn. */
const FAIR_SHARES = [1, 2, 4, 8] as const;

export function createSlots(): Slots {
  const urgent = new Map<WorkspaceId, number>();
  const others = new Map<WorkspaceId, number>();
  const taken = { all: 0, others: 0 };

  const countsOf = (isUrgent: boolean) => (isUrgent ? urgent : others);
  const mostOfOne = (isUrgent: boolean) => (isUrgent ? URGENT_PER_WORKSPACE : OTHERS_PER_WORKSPACE);

  function change({ workspaceId, isUrgent }: Occupant, by: 1 | -1): void {
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
    hasRoom: (isUrgent) =>
      taken.all < SLOTS && (isUrgent || taken.others < SLOTS - KEPT_FOR_URGENT),
    full: (isUrgent) => withAtLeast(isUrgent, mostOfOne(isUrgent)),
    skippedInTurn(isUrgent) {
      const most = mostOfOne(isUrgent);
      const shares = [...FAIR_SHARES.filter((share) => share < most), most];
      const groups = shares.map((share) => withAtLeast(isUrgent, share));
      // Each group is part of the one before it; the same one is not tried twice.
      return groups.filter((group, index) => group.length !== groups[index + 1]?.length);
    },
  };
}

import type { WorkspaceId } from '../workspaces/workspace-id.ts';

type Placed = { workspaceId: WorkspaceId; isUrgent: boolean };

/** Who has how many of the places in which jobs run. */
export type Places = {
  take(job: Placed): void;
  free(job: Placed): void;
  /** Whether a job of this urgency may begin at all. */
  hasRoom(isUrgent: boolean): boolean;
  /** Workspaces of which no further job of this urgency may begin for now. */
  full(isUrgent: boolean): WorkspaceId[];
  /**
   * Whom to pass over when the next job is looked for, first try first: those with jobs under way,
   * then those with several, at last only the full ones. So whoever has few is served before whoever
   * has many, however long their queue.
   */
  passedOver(isUrgent: boolean): WorkspaceId[][];
};

/** Jobs wait for the network, not for the processor, so many may be under way at once. */
const PLACES = 32;
/** Places that only urgent jobs take: a flood of links holds up nobody who sends a request. */
const KEPT_FOR_URGENT = 8;
/** One workspace's slow calls leave places for others: a third of what is not urgent, half of the rest. */
const OTHERS_OF_ONE_WORKSPACE = 8;
const URGENT_OF_ONE_WORKSPACE = 16;
/** How many jobs under way make a workspace wait until those with fewer were looked at. */
const FAIR_SHARES = [1, 2, 4, 8] as const;

export function createPlaces(): Places {
  const urgent = new Map<WorkspaceId, number>();
  const others = new Map<WorkspaceId, number>();
  const taken = { all: 0, others: 0 };

  const countsOf = (isUrgent: boolean) => (isUrgent ? urgent : others);
  const mostOfOne = (isUrgent: boolean) =>
    isUrgent ? URGENT_OF_ONE_WORKSPACE : OTHERS_OF_ONE_WORKSPACE;

  function change({ workspaceId, isUrgent }: Placed, by: 1 | -1): void {
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
      taken.all < PLACES && (isUrgent || taken.others < PLACES - KEPT_FOR_URGENT),
    full: (isUrgent) => withAtLeast(isUrgent, mostOfOne(isUrgent)),
    passedOver(isUrgent) {
      const most = mostOfOne(isUrgent);
      const shares = [...FAIR_SHARES.filter((share) => share < most), most];
      const groups = shares.map((share) => withAtLeast(isUrgent, share));
      // Each group is a part of the one before it; the same one is not looked for twice.
      return groups.filter((group, index) => group.length !== groups[index + 1]?.length);
    },
  };
}

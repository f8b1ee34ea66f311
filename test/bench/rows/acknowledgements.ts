import type { LoadGenerator } from '../load/load-generator.ts';
import type { BurstOrder } from '../load/orders.ts';
import type { Subject } from '../subjects/subject.ts';

/** Deliveries of one measurement: about a second's worth. */
const BURST = 4_000;
/** So many are under way at a time; Slack sends from many machines at once. */
const CONNECTIONS = 64;
const MS_PER_SECOND = 1_000;

let bursts = 0;

/** How many deliveries a second an app acknowledges, all that it can. */
export async function acknowledgementsASecond(
  load: LoadGenerator,
  subject: Subject,
  kind: BurstOrder['kind'],
): Promise<{ aSecond: number; ownShare: number }> {
  bursts += 1;
  const { tookMs, ownShare } = await load.burst({
    ...{ kind, url: subject.url, count: BURST, connections: CONNECTIONS },
    prefix: `b${bursts}x`,
    workspaceIds: [load.workspaceId],
  });
  return { aSecond: (BURST / tookMs) * MS_PER_SECOND, ownShare };
}

import { quantile } from '../../faults/figures.ts';
import type { LoadGenerator } from '../load/load-generator.ts';
import type { PaceOrder } from '../load/orders.ts';
import type { Subject } from '../subjects/subject.ts';

const P50 = 0.5;
const P99 = 0.99;

/** How long deliveries took to lead to a call of Slack's, in ms. */
export type WayTimes = { p50: number; p99: number };

let sent = 0;

/**
 * Sends deliveries at a steady pace. What Slack and the network take is not in the times: they end when
 * the app's call arrives, and Slack's part, before and after, is played on the same machine at once.
 */
export async function timeTheWay(
  load: LoadGenerator,
  { url }: Subject,
  order: Pick<PaceOrder, 'kind' | 'until' | 'perSecond' | 'count'> &
    Partial<Pick<PaceOrder, 'urls' | 'workspaceIds'>>,
): Promise<WayTimes> {
  sent += 1;
  const { ms } = await load.pace({
    workspaceIds: [load.workspaceId],
    ...order,
    ...{ url, prefix: `p${sent}x` },
  });
  return { p50: quantile(ms, P50), p99: quantile(ms, P99) };
}

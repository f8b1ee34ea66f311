import { quantile } from '../../faults/figures.ts';
import type { LoadGenerator } from '../load/load-generator.ts';
import type { PacedLoad } from '../load/loads.ts';
import type { Subject } from '../subjects/subject.ts';

const P50 = 0.5;
const P99 = 0.99;

/** Of cards in the demo data that this key may read. */
export const CARD_URLS = [1001, 1002, 1003, 1004].map(
  (number) => `https://app.example.com/card/card-${number}`,
);

/** How long deliveries took to cause a call to Slack, in ms. */
export type DeliveryTimes = { p50: number; p99: number };

let sent = 0;

/**
 * Sends deliveries at a steady pace. The times exclude Slack and the network: they end when the app's call
 * arrives, and Slack is played on the same machine without delay.
 */
export async function timeDeliveries(
  generator: LoadGenerator,
  { url }: Subject,
  load: Pick<PacedLoad, 'kind' | 'until' | 'perSecond' | 'count'> &
    Partial<Pick<PacedLoad, 'urls' | 'workspaceIds'>>,
): Promise<DeliveryTimes> {
  sent += 1;
  const { ms } = await generator.pace({
    workspaceIds: [generator.workspaceId],
    ...load,
    ...{ url, prefix: `p${sent}x` },
  });
  return { p50: quantile(ms, P50), p99: quantile(ms, P99) };
}

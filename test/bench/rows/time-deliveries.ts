import { median, p99 } from '../../faults/row.ts';
import type { LoadGenerator, PacedLoad } from '../load/load-generator.ts';
import type { Subject } from '../subjects/subject.ts';

/** Of cards in the demo data that this key may read. */
export const CARD_URLS = [1001, 1002, 1003, 1004].map(
  (number) => `https://app.example.com/card/card-${number}`,
);

/** How long deliveries took to cause a call to Slack, in ms. */
type DeliveryTimes = { p50: number; p99: number };

let sent = 0;

/**
 * Sends deliveries at a steady pace. The times exclude Slack and the network: they end when the app's call
 * arrives, and Slack is played on the same machine without delay.
 */
export async function timeDeliveries(
  generator: LoadGenerator,
  { url }: Subject,
  load: Omit<PacedLoad, 'load' | 'url' | 'prefix'>,
): Promise<DeliveryTimes> {
  sent += 1;
  const { ms } = await generator.pace({ ...load, url, prefix: `p${sent}x` });
  return { p50: median(ms), p99: p99(ms) };
}

import { parseArgs } from 'node:util';
import { startAnsweringSlack } from './answering-slack.ts';
import type { BurstOrder, PaceOrder } from './orders.ts';
import { sendBurst } from './send-burst.ts';
import { sendPaced } from './send-paced.ts';

/**
 * The process that plays Slack: it sends what people do, and takes the app's calls, so that one clock
 * measures the way between the two.
 */
const { values } = parseArgs({
  options: { 'signing-secret': { type: 'string' }, workspace: { type: 'string' } },
});
const { 'signing-secret': signingSecret = '', workspace = '' } = values;

const slack = await startAnsweringSlack(workspace);
process.on('disconnect', () => process.exit(0));
process.on('message', async (order: BurstOrder | PaceOrder) => {
  try {
    const outcome =
      order.order === 'burst'
        ? await sendBurst(order, signingSecret)
        : await sendPaced(order, { signingSecret, slack });
    process.send?.({ outcome });
  } catch (error) {
    process.send?.({ failed: error instanceof Error ? error.message : String(error) });
  }
});
process.send?.({ apiUrl: slack.apiUrl });

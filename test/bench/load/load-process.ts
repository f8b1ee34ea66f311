import { parseArgs } from 'node:util';
import { startAnsweringSlack } from './answering-slack.ts';
import type { BurstLoad, PacedLoad } from './load-generator.ts';
import { sendBurst, sendPaced } from './sending.ts';

/**
 * The process that plays Slack: it sends deliveries and receives the app's calls, so that one clock measures
 * the time between them.
 */
const { values } = parseArgs({
  options: { 'signing-secret': { type: 'string' }, workspace: { type: 'string' } },
});
const { 'signing-secret': signingSecret = '', workspace = '' } = values;

const slack = await startAnsweringSlack(workspace);
process.on('disconnect', () => process.exit(0));
process.on('message', async (load: BurstLoad | PacedLoad) => {
  try {
    const outcome =
      load.load === 'burst'
        ? await sendBurst(load, signingSecret)
        : await sendPaced(load, { signingSecret, slack });
    process.send?.({ outcome });
  } catch (error) {
    process.send?.({ failed: error instanceof Error ? error.message : String(error) });
  }
});
process.send?.({ apiUrl: slack.apiUrl });

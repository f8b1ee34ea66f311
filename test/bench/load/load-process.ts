import { startAnsweringSlack } from './answering-slack.ts';
import type { BurstLoad, PacedLoad } from './load-generator.ts';
import { sendBurst, sendPaced } from './sending.ts';

/**
 * The process that plays Slack: it sends deliveries and receives the app's calls, so that one clock measures
 * the time between them.
 */
const slack = await startAnsweringSlack();
process.on('disconnect', () => process.exit(0));
process.on('message', async (load: BurstLoad | PacedLoad) => {
  try {
    const outcome = load.load === 'burst' ? await sendBurst(load) : await sendPaced(load, slack);
    process.send?.({ outcome });
  } catch (error) {
    process.send?.({ failed: error instanceof Error ? error.message : String(error) });
  }
});
process.send?.({ apiUrl: slack.apiUrl });

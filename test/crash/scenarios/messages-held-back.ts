import { answerDoubt, answerDoubtInModal, sendRequest } from '../world/author.ts';
import type { Scenario } from './scenario.ts';

const HELD_BACK_FOR_S = 30;

/** Slack holds the app's messages back, so the author reads in the modal that a request is in doubt. */
export const messagesHeldBack: Scenario = {
  name: 'a request in doubt, Slack holds messages back',
  outcomes: ['done', 'done, answer lost', 'failed, unknown'],
  outcomesInTests: ['failed, unknown'],
  async play(world) {
    const { acme, ann, slack } = world;
    world.meetOutcome();
    const letPass = slack.faults.add({
      ...{ kind: 'rate_limited', retryAfter: HELD_BACK_FOR_S },
      method: 'chat.postMessage',
    });
    const sent = await sendRequest(world, acme.as(ann), 'Spring banner');
    await answerDoubtInModal(world, sent, 'Not there, send again');
    // Until then everything is tried again, and then at the same time.
    await world.soon(() => false);
    letPass();
    await answerDoubt(world, sent, 'Not there, send again');
    return { sent: [sent] };
  },
};

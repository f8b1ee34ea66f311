import type { Decision } from '../history.ts';
import { answerDoubt, sendRequest } from '../world/author.ts';
import type { Scenario } from './scenario.ts';

/** A request whose author decides whenever the app asks whether it arrived. */
export const inDoubt = (decision: Decision): Scenario => ({
  name: `a request in doubt, its author says “${decision}”`,
  outcomesInTests: decision === 'Not there, send again' ? ['done, answer lost'] : [],
  async play(world) {
    world.meetOutcome();
    const sent = await sendRequest(world, world.acme.as(world.ann), 'Spring banner');
    await answerDoubt(world, sent, decision);
    return { sent: [sent] };
  },
});

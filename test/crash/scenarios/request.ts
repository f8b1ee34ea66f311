import { OUTCOMES } from '../outcomes.ts';
import { sendRequest } from '../world/author.ts';
import type { Scenario } from './scenario.ts';

export const request: Scenario = {
  name: 'a request',
  outcomesInTests: OUTCOMES,
  async play(world) {
    world.meetOutcome();
    return { sent: [await sendRequest(world, world.acme.as(world.ann), 'Spring banner')] };
  },
};

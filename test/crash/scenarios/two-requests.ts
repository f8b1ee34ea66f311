import type { Decision } from '../history.ts';
import { answerDoubt, fillForm, sendForm } from '../world/author.ts';
import type { Scenario } from './scenario.ts';

const DECISIONS: readonly [Decision, ...Decision[]] = [
  'Not there, send again',
  'Found it',
  'Discard',
];

/** Two people send requests at the same time, and decide if they are asked. */
export const twoRequests: Scenario = {
  name: 'two requests at once',
  outcomesInTests: [],
  async play(world) {
    const { acme, ann, bob, chance } = world;
    await fillForm(world, acme.as(ann), 'Spring banner');
    await fillForm(world, acme.as(bob), 'Autumn poster');
    world.meetOutcome();
    const sent = await Promise.all([
      sendForm(world, acme.as(ann), 'Spring banner'),
      sendForm(world, acme.as(bob), 'Autumn poster'),
    ]);
    for (const one of sent) {
      await answerDoubt(world, one, chance?.pick(DECISIONS) ?? DECISIONS[0]);
    }
    return { sent };
  },
};

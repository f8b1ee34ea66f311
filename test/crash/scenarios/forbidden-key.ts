import { connectKey } from '../world/admin.ts';
import { sendRequest } from '../world/author.ts';
import type { Scenario } from './scenario.ts';

/** The key may not create cards; an admin gives it the permission at the service and connects it again. */
export const forbiddenKey: Scenario = {
  name: 'a key that may not create cards yet',
  outcomesInTests: ['done'],
  async play(world) {
    const { acme, ada, ann, service } = world;
    const allow = service.faults.add({ operation: 'createCard', kind: 'status', status: 403 });
    const sent = await sendRequest(world, acme.as(ann), 'Spring banner');
    await world.idle();
    // The app compares times in ms.
    await world.soon(() => false);
    allow();
    world.meetOutcome();
    await connectKey(world, acme.as(ada), service.apiKey);
    return { sent: [sent], hasWorkingKey: true };
  },
};

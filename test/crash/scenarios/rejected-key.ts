import { connectKey } from '../world/admin.ts';
import { fillForm, sendForm } from '../world/author.ts';
import type { Scenario } from './scenario.ts';

/** The service rejects the key while a request is sent, a second request waits too, then an admin connects a new key. */
export const rejectedKey: Scenario = {
  name: 'a key rejected and replaced while two requests wait',
  outcomesInTests: ['done'],
  async play(world) {
    const { acme, ada, ann, bob, service } = world;
    await fillForm(world, acme.as(ann), 'Spring banner');
    await fillForm(world, acme.as(bob), 'Autumn poster');
    const key = service.regenerateKey(service.apiKey);
    const first = await sendForm(world, acme.as(ann), 'Spring banner');
    await world.idle();
    const second = await sendForm(world, acme.as(bob), 'Autumn poster');
    await world.idle();
    world.meetOutcome();
    await connectKey(world, acme.as(ada), key);
    return { sent: [first, second], toldOfRejectedKey: [ada], hasWorkingKey: true };
  },
};

import { sendRequest } from '../world/author.ts';
import type { World } from '../world/world.ts';
import type { Scenario } from './scenario.ts';

const isBeingSent = async ({ database }: World) =>
  (await database.query("select id from requests where state = 'sending'")).length > 0;

/** The workspace removes the app while a request is being sent. */
export const uninstall: Scenario = {
  name: 'an uninstall during a request',
  outcomesInTests: ['done'],
  isInstalledByOAuth: true,
  async play(world) {
    const { acme, ann } = world;
    world.meetOutcome();
    const sent = await sendRequest(world, acme.as(ann), 'Spring banner');
    await world.soon(() => isBeingSent(world));
    await world.act(async () => acme.uninstall());
    return { sent: [sent], isUninstalled: true };
  },
};

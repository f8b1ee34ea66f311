import { fillForm } from '../world/author.ts';
import type { World } from '../world/world.ts';
import type { Scenario } from './scenario.ts';

const isGone = async ({ database, acme }: World) =>
  (await database.query(`select workspace_id from installations where workspace_id = '${acme.id}'`))
    .length === 0;

/** The workspace removes the app while a form is sent, which a slow process stores only after that. */
export const uninstallWhileSending: Scenario = {
  name: 'an uninstall while a form is sent',
  outcomes: ['done'],
  outcomesInTests: [],
  isInstalledByOAuth: true,
  async play(world) {
    const { acme, ann } = world;
    await fillForm(world, acme.as(ann), 'Spring banner');
    world.delayStatement('insert into "entries"', () => isGone(world));
    await Promise.all([
      world.act(() => acme.as(ann).submit()),
      world.act(async () => acme.uninstall()),
    ]);
    return { sent: [], isUninstalled: true };
  },
};

import { describe, expect, it } from 'vitest';
import { rowsOf } from './database-rows.ts';
import { sentRequest } from './form.ts';
import { startWorld, type World } from './world.ts';

const rowsLeft = (world: World) => rowsOf(world, world.acme.id);

async function usedWorld(): Promise<World> {
  const { world, me } = await startWorld();
  await sentRequest(world, me, { Brand: world.service.referenceLists.brands[0]?.name ?? '' });
  expect(await rowsLeft(world)).toBeGreaterThan(3);
  return world;
}

describe('uninstalling', () => {
  it.each([
    ['in the documented order', ['app_uninstalled', 'tokens_revoked']],
    ['in the other order', ['tokens_revoked', 'app_uninstalled']],
    ['with only one event', ['tokens_revoked']],
    [
      'with each event twice',
      ['app_uninstalled', 'app_uninstalled', 'tokens_revoked', 'tokens_revoked'],
    ],
  ] as const)('deletes everything of the workspace %s', async (_name, events) => {
    const world = await usedWorld();
    world.acme.uninstall([...events]);
    await world.slack.idle();
    await expect.poll(() => rowsLeft(world)).toBe(0);
  });

  it('deletes nothing when the event arrives after a new installation', async () => {
    const world = await usedWorld();
    world.acme.uninstall(['app_uninstalled']);
    const [late] = world.slack.deliveries.filter(({ kind }) => kind === 'event').slice(-1);
    await expect.poll(() => rowsLeft(world)).toBe(0);
    // The operator installs it again, with the new token.
    world.config.slack.access = { kind: 'token', botToken: world.acme.install() };
    await world.restart();
    await expect.poll(() => rowsLeft(world)).toBeGreaterThan(0);
    if (late) await world.slack.redeliver(late);
    await expect.poll(() => world.logLines.join('')).toContain('ignored an uninstall event');
    expect(await rowsLeft(world)).toBeGreaterThan(0);
  });
});

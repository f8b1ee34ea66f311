import { describe, expect, it } from 'vitest';
import { install } from './browser.ts';
import { rowsOf } from './database-rows.ts';
import { startWorld } from './world.ts';

const GONE = { timeout: 8_000 };

describe('an uninstall that the app was not told of', () => {
  it('is noticed at the next look, and nothing is left', async () => {
    const world = await startWorld({ many: true });
    await install(world, world.acme, world.admin);
    world.acme.uninstall([]);
    await world.restart();
    await expect.poll(() => rowsOf(world, world.acme.id), GONE).toBe(0);
  });

  it.each(['invalid_auth', 'token_expired', 'internal_error', 'ratelimited'])(
    'is not concluded from %s, which has other reasons',
    async (error) => {
      const world = await startWorld({ many: true });
      await install(world, world.acme, world.admin);
      world.slack.faults.add({ kind: 'error', error, method: 'auth.test' });
      const before = world.slack.apiCalls.length;
      await world.restart();
      const asked = () =>
        world.slack.apiCalls.slice(before).filter(({ method }) => method === 'auth.test').length;
      await expect.poll(asked, GONE).toBe(1);
      await world.restart();
      expect(rowsOf(world, world.acme.id, ['installations'])).toBe(1);
    },
  );

  it('is not concluded from a revoked token where tokens rotate', async () => {
    const world = await startWorld({ many: true, tokenRotation: true });
    await install(world, world.acme, world.admin);
    world.slack.faults.add({ kind: 'error', error: 'token_revoked', method: 'auth.test' });
    const before = world.slack.apiCalls.length;
    await world.restart();
    await expect.poll(() => world.slack.apiCalls.length, GONE).toBeGreaterThan(before);
    await world.restart();
    expect(rowsOf(world, world.acme.id, ['installations'])).toBe(1);
  });
});

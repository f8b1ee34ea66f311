import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { install } from './browser.ts';
import { rowsOf } from './database-rows.ts';
import { startWorld, type World } from './world.ts';

/** Restarts the app and moves its timers to when it asks Slack where it is still installed. */
async function restartAndLook(world: World): Promise<void> {
  await world.app.stop();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  await world.restart();
  await vi.advanceTimersByTimeAsync(5_000);
  vi.useRealTimers();
}

async function lookTwice(world: World): Promise<void> {
  const asked = () => world.slack.apiCalls.filter(({ method }) => method === 'auth.test').length;
  for (let looks = 0; looks < 2; looks += 1) {
    const before = asked();
    await restartAndLook(world);
    // Workspaces that were deleted aren't asked about.
    await expect.poll(asked).toBe(before + 1);
  }
}

describe('an uninstall that the app wasn’t told about', () => {
  it('is noticed at the next check, and all data is deleted', async () => {
    const { world, acme, admin } = await startWorld({ many: true });
    await install(world, acme, admin);
    acme.uninstall([]);
    await restartAndLook(world);
    await expect.poll(() => rowsOf(world, acme.id)).toBe(0);
  });

  it.each(['invalid_auth', 'token_expired', 'internal_error', 'ratelimited'])(
    'is not concluded from %s, which has other causes',
    async (error) => {
      const { world, acme, admin, slack } = await startWorld({ many: true });
      await install(world, acme, admin);
      slack.faults.add({ kind: 'error', error, method: 'auth.test' });
      await lookTwice(world);
      expect(await rowsOf(world, acme.id, ['installations'])).toBe(1);
    },
  );

  it('is not concluded from a revoked token if tokens rotate', async () => {
    const { world, acme, admin, slack } = await startWorld({ many: true, tokenRotation: true });
    await install(world, acme, admin);
    slack.faults.add({ kind: 'error', error: 'token_revoked', method: 'auth.test' });
    await lookTwice(world);
    expect(await rowsOf(world, acme.id, ['installations'])).toBe(1);
  });
});

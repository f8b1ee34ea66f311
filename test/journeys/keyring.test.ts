import { describe, expect } from 'vitest';
import { createStores } from '../../src/store/stores.ts';
import { workspaceNamed } from '../installations/ids.ts';
import { encryptionKey } from '../store/stores-under-test.ts';
import { note } from './connecting.ts';
import { databaseOf } from './database-rows.ts';
import { fillForm, openFilledForm, openForm, untilSees } from './form.ts';
import { scrape } from './metrics.ts';
import { it, startWorld } from './world.ts';

describe('the keyring', () => {
  it('can get a new first key, and still opens what the old one encrypted', async ({ world }) => {
    world.config.encryptionKeys = [encryptionKey('k2'), ...world.config.encryptionKeys];
    await world.restart();
    await openForm(world, world.acme.as(world.ann));
    expect(world.logLines.join('')).toContain('"resealed":1');

    // The old one is no longer needed.
    world.config.encryptionKeys = world.config.encryptionKeys.slice(0, 1);
    await world.restart();
    await openForm(world, world.acme.as(world.admin));
  });

  it('that has another key under the same ID is reported at start', async ({ world }) => {
    const keyring = world.config.encryptionKeys;
    world.config.encryptionKeys = [encryptionKey('k1')];
    await expect(world.restart()).rejects.toThrow(
      '"k1", which encrypted 1 of the API keys and tokens',
    );
    world.config.encryptionKeys = keyring;
    await world.restart();
  });

  it('that lacks the key of another replica is counted and named in the log while the app runs', async () => {
    const { world, acme, general, config, app, me } = await startWorld();
    const other = createStores(databaseOf(world), [encryptionKey('k2'), ...config.encryptionKeys]);
    await other.keys.save(workspaceNamed(acme.id), 'another-key-1234', 'U1', new Date());
    const counted = async () =>
      (await scrape(app)).value('decryption_errors_total', { reason: 'unknown_key' });
    expect(await counted()).toBe(0);
    for (const times of [1, 2]) {
      await me.command(general, 'status card-1001');
      await expect.poll(counted).toBeGreaterThanOrEqual(times);
    }
    const named = world.logLines
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'an API key or token cannot be decrypted');
    expect(named).toMatchObject([
      {
        level: 'error',
        owner: `${acme.id}/api-key`,
        reason: expect.stringMatching(/"k2", which is missing from ENCRYPTION_KEYS/),
      },
    ]);
  });

  it('that is lost is reported, loses no request, and works again once the right key is back', async () => {
    const { world, acme, ann, general, service, slack, me, logLines, config } = await startWorld();
    await openFilledForm(world, me);
    const keyring = config.encryptionKeys;
    config.encryptionKeys = [encryptionKey('k9')];
    config.lostKeyIds = ['k1'];
    await world.restart({ listsKept: true });
    await expect
      .poll(() => logLines.join(''))
      .toContain('cannot be decrypted with ENCRYPTION_KEYS');
    await me.submit();
    await note(world, 'can’t read this workspace’s API key');
    // It waits, and isn't retried over and over.
    const settled = logLines.filter((line) => line.includes('request state changed'));
    expect(settled).toHaveLength(1);
    await me.close({ all: true });
    await me.command(general);
    await untilSees(world, me, 'can’t read this workspace’s API key');
    // Nothing is lost that is written meanwhile, either.
    expect(me.sees()).toContain('You can already write your request');
    await fillForm(world, me, { Title: 'Summer banner' });
    await me.submit();
    await slack.until(() => acme.directMessages(ann)[1], 'another note');
    expect(service.calls({ operation: 'createCard' })).toEqual([]);

    config.encryptionKeys = keyring;
    config.lostKeyIds = [];
    await world.restart();
    await slack.until(() => acme.messages(general).length === 2, 'both confirmations');
    expect(service.calls({ operation: 'createCard' })).toHaveLength(2);
  });
});

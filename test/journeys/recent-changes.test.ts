import { describe, expect } from 'vitest';
import type { Person } from '../stand-ins/slack/people/person.ts';
import { connect, disconnect } from './connecting.ts';
import { databaseOf } from './database-rows.ts';
import { openFormFrom, pressUntil } from './form.ts';
import { ALLOW_GUESTS, changeSettings } from './links.ts';
import { setPreset } from './presets.ts';
import { it, startWorld, type World } from './world.ts';

async function openChanges(world: World, admin: Person): Promise<void> {
  if (admin.currentView()) await admin.close({ all: true });
  await openFormFrom(world, admin, 'settings', 'Card links');
  await pressUntil(world, admin, { text: 'Recent changes' }, 'kept for a year');
}

describe('recent changes', () => {
  it('tell admins who connected, disconnected, and changed settings and presets', async () => {
    const { world, admin, service, ada } = await startWorld({ connected: false });
    await openChanges(world, ada);
    expect(ada.sees()).toContain('Nothing has been changed yet');

    await connect(world, ada, service.apiKey);
    await changeSettings(world, {
      'Card links': 'Large preview',
      'Guests and other companies': [ALLOW_GUESTS],
    });
    await setPreset(world, ada, 'Preset for this channel', {
      'Request type': 'Social media',
      'Brief template': 'Who will see it?',
    });
    await disconnect(world);

    await openChanges(world, ada);
    const lastFour = service.apiKey.slice(-4);
    const seen = ada.sees();
    for (const line of [
      `API key: none → ends in \`${lastFour}\``,
      'Card links: Small preview → Large preview',
      'Let guests make requests and see cards: off → on',
      'Request type: none → Social media',
      'Who will see it?',
      `API key: ends in \`${lastFour}\` → none`,
      `<@${admin.id}>`,
    ]) {
      expect(seen).toContain(line);
    }
    expect(seen).not.toContain('Project ID');
    expect(seen.indexOf('API key disconnected')).toBeLessThan(seen.indexOf('API key connected'));
    expect(seen).not.toContain(service.apiKey);
  });

  it('say that a key came with the deployment', async ({ world, ada }) => {
    await openChanges(world, ada);
    expect(ada.sees()).toContain('API key connected');
    expect(ada.sees()).toContain('Whoever runs this app');
  });

  it('are as many as fit, the newest first', async () => {
    const { world, ada } = await startWorld({ connected: false });
    await changeSettings(world, { 'Card links': 'Large preview' });
    const db = databaseOf(world);
    const [one] = await db
      .selectFrom('audit_entries')
      .where('what', '=', 'settings_changed')
      .selectAll()
      .execute();
    if (!one) throw new Error('nothing was recorded');
    const older = Array.from({ length: 60 }, (_, index) => ({
      ...one,
      id: `older-${index}`,
      doneAt: new Date(one.doneAt.getTime() - 60_000),
    }));
    await db.insertInto('audit_entries').values(older).execute();
    await openChanges(world, ada);
    expect(ada.sees().split('Settings changed').length - 1).toBe(50);
    expect(ada.sees()).toContain('Older changes aren’t shown.');
  });
});

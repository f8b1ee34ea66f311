import { describe, expect, it } from 'vitest';
import { install } from './browser.ts';
import { connect, submitKey } from './connecting.ts';
import { rowsOf } from './database-rows.ts';
import { sendRequest, sentRequest } from './form.ts';
import { startWorld } from './world.ts';

/** Acme, installed through OAuth and connected, with a request; and Other, installed and connected too. */
async function usedWorld() {
  const { world, acme, admin, slack, service, me, ada } = await startWorld({ many: true });
  const other = slack.addWorkspace({ name: 'Other', installed: false });
  const olga = other.addUser({ name: 'Olga', admin: true });
  await install(world, acme, admin);
  await install(world, other, olga);
  await connect(world, ada, service.issueKey());
  await sentRequest(world, me);
  return { ...world, other, olga };
}

describe('a workspace that removes the app', () => {
  it('leaves nothing, its tokens included, even if its events come doubled', async () => {
    const events = [
      'tokens_revoked',
      'tokens_revoked',
      'app_uninstalled',
      'app_uninstalled',
    ] as const;
    const { world, acme, other, slack } = await usedWorld();
    const ofOther = await rowsOf(world, other.id);
    expect(await rowsOf(world, acme.id)).toBeGreaterThan(4);
    acme.uninstall([...events]);
    await slack.idle();
    await expect.poll(() => rowsOf(world, acme.id)).toBe(0);
    expect(await rowsOf(world, other.id)).toBe(ofOther);
  });

  it('stores nothing again when a form was being sent', async () => {
    const { world, acme, slack, service, ada } = await usedWorld();
    const checks = () => service.calls({ operation: 'listRequestTypes' }).length;
    let before = 0;
    await submitKey(world, ada, service.issueKey(), async () => {
      service.faults.add({ kind: 'stall', ms: 1_000, operation: 'listRequestTypes', times: 1 });
      before = checks();
    });
    await expect.poll(checks).toBe(before + 1);
    acme.uninstall();
    await slack.idle();
    await expect.poll(() => rowsOf(world, acme.id)).toBe(0);
    // The service accepted the key after that.
    await expect.poll(() => rowsOf(world, acme.id, ['api_keys'])).toBe(1);
    expect(await rowsOf(world, acme.id, ['jobs'])).toBe(0);
    await expect.poll(() => rowsOf(world, acme.id)).toBe(0);
  });

  it('can install it again, is greeted again, and starts from scratch', async () => {
    const { world, acme, admin, slack, service, general, me, ada } = await usedWorld();
    const greetings = () =>
      acme.directMessages(admin).filter(({ text }) => text.includes('installing')).length;
    expect(greetings()).toBe(1);
    acme.uninstall();
    await slack.idle();
    await expect.poll(() => rowsOf(world, acme.id)).toBe(0);
    await install(world, acme, admin);
    await slack.until(() => greetings() === 2, 'the second greeting');
    await connect(world, ada, service.issueKey());
    await sendRequest(world, me);
    await slack.until(() => acme.messages(general)[1], 'the confirmation');
  });
});

describe('a new installation', () => {
  it('is not wiped by a late uninstall event, however often and in either order', async () => {
    const { world, acme, admin, slack, service, logLines, ada } = await usedWorld();
    const known = slack.deliveries.length;
    acme.uninstall();
    const events = slack.deliveries.slice(known);
    expect(events).toHaveLength(2);
    await slack.idle();
    await expect.poll(() => rowsOf(world, acme.id)).toBe(0);
    await install(world, acme, admin);
    await connect(world, ada, service.issueKey());
    const kept = await rowsOf(world, acme.id);
    for (const [index, { payload }] of [...events, ...events.toReversed()].entries()) {
      // Under new IDs: Slack's own retries would be ignored as repeats.
      const late = JSON.stringify({ ...payload, event_id: `Ev-late-${index}` });
      await slack.sendSigned(late, 'application/json');
    }
    const notWiped = () => logLines.filter((line) => line.includes('ignored an uninstall event'));
    await expect.poll(() => notWiped().length).toBe(4);
    expect(await rowsOf(world, acme.id)).toBeGreaterThanOrEqual(kept);
    expect((await ada.command(world.general, 'list')).acknowledged).toBe(true);
  });

  it('with the bot token of the deployment is not wiped by a late event either', async () => {
    const { world, acme, slack, me, config } = await startWorld();
    await sentRequest(world, me);
    acme.uninstall(['app_uninstalled']);
    const late = slack.deliveries.findLast(({ kind }) => kind === 'event');
    if (!late) throw new Error('no event was delivered');
    await expect.poll(() => rowsOf(world, acme.id)).toBe(0);
    // The operator installs it again, with the new token.
    config.slack.access = { kind: 'token', botToken: acme.install() };
    await world.restart();
    await expect.poll(() => rowsOf(world, acme.id)).toBeGreaterThan(0);
    await slack.redeliver(late);
    await expect.poll(() => world.logLines.join('')).toContain('ignored an uninstall event');
    expect(await rowsOf(world, acme.id)).toBeGreaterThan(0);
  });
});

import { describe, expect, it } from 'vitest';
import { expectAccessible, openSandbox } from './sandbox.ts';
import { closeModal, command, fillForm, lastMessage, modalOf, send } from './slack-page.ts';

describe('connecting in the browser', () => {
  it('accepts a valid key, shows only its last characters, and can be undone', async () => {
    const sandbox = await openSandbox({ connected: false });
    const page = await sandbox.openAs('Ada Admin', 'general');
    await command(page, 'connect');
    await modalOf(page).getByText('isn’t connected to your design service yet').waitFor();
    await modalOf(page).getByLabel('API key').fill('not a key');
    await send(page, 'Connect');
    await modalOf(page).getByText('An API key has no spaces').waitFor();
    await modalOf(page).getByLabel('API key').fill('dsk_wrong');
    await send(page, 'Connect');
    await modalOf(page).getByText('doesn’t accept this key').waitFor();
    await expectAccessible(page);
    await modalOf(page).getByLabel('API key').fill(sandbox.service.apiKey);
    await send(page, 'Connect');
    await modalOf(page).getByText('Connected (key').waitFor();
    expect(await modalOf(page).textContent()).toContain(sandbox.service.apiKey.slice(-4));
    expect(await page.content()).not.toContain(sandbox.service.apiKey);
    await closeModal(page);

    await command(page, 'disconnect');
    await lastMessage(page).getByRole('button', { name: 'Disconnect' }).click();
    await lastMessage(page).getByText('Disconnected, and the key is deleted.').waitFor();
    await command(page);
    await modalOf(page).getByText('isn’t connected').waitFor();
  });

  it('with a new key, after the dashboard revoked the old one, sends waiting requests', async () => {
    const sandbox = await openSandbox();
    const dashboard = await sandbox.open('/dashboard');
    const page = await sandbox.openAs('Ada Admin', 'general');
    await fillForm(page, 'Spring banner');
    await dashboard.getByRole('button', { name: 'Revoke the key of Acme' }).click();
    await dashboard.getByText('Revoked: every call with it gets 401.').waitFor();
    await expectAccessible(dashboard);
    await send(page);
    await modalOf(page).getByText('The API key stopped working').waitFor();
    await closeModal(page);
    expect(sandbox.service.cards.get('card-1009')).toBeUndefined();

    await dashboard.getByRole('button', { name: 'New key for Acme' }).click();
    const code = dashboard.locator('[data-owner=Acme] code').first();
    await code.waitFor();
    await command(page, 'connect');
    await modalOf(page)
      .getByLabel('API key')
      .fill((await code.textContent()) ?? '');
    await send(page, 'Connect');
    await modalOf(page).getByText('Sending one waiting request').waitFor();
    await closeModal(page);
    await page.getByRole('main').getByRole('button', { name: 'Refresh' }).waitFor();
    expect(sandbox.service.cards.get('card-1009')?.title).toBe('Spring banner');
  });
});

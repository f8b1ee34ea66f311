import { describe, expect } from 'vitest';
import { expectAccessible, it } from './sandbox.ts';
import { closeModal, command, fillForm, modalOf, send } from './slack-page.ts';

describe('connecting in the browser', () => {
  it('with a new key, after the dashboard revoked the old one, sends waiting requests', async ({
    sandbox,
    dashboard,
  }) => {
    const page = await sandbox.openAs('Ada Admin', 'general');
    await fillForm(page, 'Spring banner');
    await dashboard.getByRole('button', { name: 'Revoke the key of Acme' }).click();
    await dashboard.getByText('Revoked: every call with it gets 401.').waitFor();
    await expectAccessible(dashboard);
    await send(page);
    await modalOf(page).getByText('The API key stopped working').waitFor();
    await closeModal(page);
    expect(sandbox.service.cards.get('card-1009')).toBeUndefined();

    await command(page, 'connect');
    await modalOf(page).getByLabel('API key').fill(sandbox.service.apiKey);
    await send(page, 'Connect');
    await modalOf(page).getByText('doesn’t accept this key').waitFor();
    await expectAccessible(page);

    await dashboard.getByRole('button', { name: 'New key for Acme' }).click();
    const code = dashboard.locator('[data-owner=Acme] code').first();
    await code.and(dashboard.getByText('dsk_')).waitFor();
    const key = (await code.textContent()) ?? '';
    await modalOf(page).getByLabel('API key').fill(key);
    await send(page, 'Connect');
    await modalOf(page).getByText('Sending one waiting request').waitFor();
    expect(await modalOf(page).textContent()).toContain(key.slice(-4));
    expect(await page.content()).not.toContain(key);
    await closeModal(page);
    await page.getByRole('main').getByRole('button', { name: 'Refresh' }).waitFor();
    expect(sandbox.service.cards.get('card-1009')?.title).toBe('Spring banner');
  });
});

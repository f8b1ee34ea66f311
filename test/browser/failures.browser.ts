import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { expectAccessible, it, openSandbox } from './sandbox.ts';
import { closeModal, command, fillForm, lastMessage, modalOf, send } from './slack-page.ts';

/** Switches on a fault in the dashboard's panel. */
async function switchOn(dashboard: Page, fault: RegExp, scope = 'Next new card') {
  await dashboard.getByLabel(scope).check();
  await dashboard.getByRole('button', { name: fault }).click();
  await dashboard.getByRole('list', { name: 'Active faults' }).waitFor();
}

describe('failures in the browser', () => {
  it('a form that can’t be filled says so, and is completed on retry', async () => {
    const sandbox = await openSandbox({ appRuns: false });
    const dashboard = await sandbox.open('/dashboard');
    await dashboard.getByText('The app is starting').waitFor();
    await switchOn(dashboard, /^Down/, 'Until switched off');
    await sandbox.startApp();
    const page = await sandbox.open();
    await command(page, 'Spring banner');
    await modalOf(page).getByText('can’t reach your design service').waitFor();
    await expectAccessible(page);
    await dashboard.getByRole('button', { name: 'Switch Down off' }).click();
    await dashboard.getByRole('list', { name: 'Active faults' }).waitFor({ state: 'hidden' });
    await modalOf(page).getByRole('button', { name: 'Try again' }).click();
    await modalOf(page).getByLabel('Request type').waitFor();
    expect(await modalOf(page).getByLabel('Title').inputValue()).toBe('Spring banner');
  });

  it('a dropped connection leaves one card, and a question that Discard answers after asking again', async ({
    sandbox,
    page,
    dashboard,
  }) => {
    const cards = () =>
      sandbox.service.cards.all().filter(({ title }) => title === 'Spring banner');
    await switchOn(dashboard, /^Dropped/);
    await fillForm(page, 'Spring banner');
    await send(page);
    await modalOf(page).getByText('Did this request arrive').waitFor();
    await expectAccessible(page);
    expect(cards()).toHaveLength(1);
    await closeModal(page);

    // The app's note to Ann, in their direct conversation.
    await page.getByRole('button', { name: /^Design Request/ }).click();
    const note = lastMessage(page);
    await note.getByText('Did this request arrive').waitFor();
    await note.getByRole('button', { name: 'Discard' }).click();
    const asked = note.getByRole('dialog', { name: 'Discard this request?' });
    await expectAccessible(page);
    await asked.getByRole('button', { name: 'Keep it' }).click();
    await note.getByRole('button', { name: 'Discard' }).click();
    await asked.getByRole('button', { name: 'Discard' }).click();
    await expect
      .poll(() => page.getByRole('main').textContent())
      .toMatch('Discarded. We won’t send it.');
    await page.getByRole('button', { name: /^general/ }).click();
    await page.getByText('This is the very beginning of #general.').waitFor();
    expect(await page.getByRole('main').getByRole('article').count()).toBe(0);
    expect(cards()).toHaveLength(1);
  });

  it('a frozen app exceeds Slack’s three seconds, and the page shows them', async ({
    sandbox,
    page,
  }) => {
    await page.getByRole('button', { name: 'Freeze app' }).click();
    await page.getByText('The app is frozen').waitFor();
    await command(page, 'Spring banner');
    await page.getByText('waiting for the app').waitFor();
    await page.getByText('no answer within 3 s').waitFor();
    await page.getByText('failed with the error “operation_timeout”').waitFor();
    await expectAccessible(page);

    const log = await sandbox.open('/log');
    const line = log.getByRole('listitem').filter({ hasText: 'Ann typed /design-request' });
    await line.getByText('timeout').waitFor();
    await page.getByRole('button', { name: 'Resume app' }).click();
    await page.getByText('The app is running').waitFor();
    await command(page, 'Autumn banner');
    await modalOf(page).getByLabel('Title').waitFor();
    expect(await modalOf(page).getByLabel('Title').inputValue()).toBe('Autumn banner');
  });
});

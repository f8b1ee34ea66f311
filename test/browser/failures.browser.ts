import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { expectAccessible, it, openPage, openSandbox, type Sandbox } from './sandbox.ts';
import { closeModal, command, fillForm, lastMessage, modalOf, send } from './slack-page.ts';

/** Switches on a fault in the dashboard's panel. */
async function switchOn(dashboard: Page, fault: RegExp, scope = 'Next new card') {
  await dashboard.getByLabel(scope).check();
  await dashboard.getByRole('button', { name: fault }).click();
  await dashboard.getByRole('list', { name: 'Active faults' }).waitFor();
}

const cardsCalled = (sandbox: Sandbox, title: string) =>
  sandbox.service.cards.all().filter((card) => card.title === title);

async function requestInDoubt(sandbox: Sandbox): Promise<Page> {
  const page = await sandbox.open();
  const dashboard = await sandbox.open('/dashboard');
  await switchOn(dashboard, /^Dropped/);
  await dashboard.close();
  await fillForm(page, 'Spring banner');
  await send(page);
  await modalOf(page).getByText('Did this request arrive').waitFor();
  return page;
}

/** The app's note to Ann, in their direct conversation. */
async function openNote(page: Page) {
  await closeModal(page);
  await page.getByRole('button', { name: /^Design Request/ }).click();
  await lastMessage(page).getByText('Did this request arrive').waitFor();
  return lastMessage(page);
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

  it('a request that the busy service refused is sent automatically, once', async () => {
    const { sandbox, page } = await openPage();
    const dashboard = await sandbox.open('/dashboard');
    await fillForm(page, 'Spring banner');
    await switchOn(dashboard, /^429/);
    await send(page);
    await modalOf(page).getByText('Your design service is busy').waitFor();
    await closeModal(page);
    await lastMessage(page).getByRole('button', { name: 'Refresh' }).waitFor({ timeout: 30_000 });
    expect(cardsCalled(sandbox, 'Spring banner')).toHaveLength(1);
    await dashboard.getByText(/triggered once/).waitFor();
    await expectAccessible(dashboard);
  });

  it('a request in doubt: “Not there, send again” creates a second card because its author said so', async () => {
    const sandbox = await openSandbox();
    const page = await requestInDoubt(sandbox);
    await expectAccessible(page);
    expect(cardsCalled(sandbox, 'Spring banner')).toHaveLength(1);
    const note = await openNote(page);
    await note.getByRole('button', { name: 'Not there, send again' }).click();
    await expect.poll(() => cardsCalled(sandbox, 'Spring banner').length).toBe(2);
    await page.getByRole('button', { name: /^general/ }).click();
    await lastMessage(page).getByRole('button', { name: 'Refresh' }).waitFor();
  });

  it('a request in doubt: “Found it” takes the card’s link, and the confirmation links to it', async () => {
    const sandbox = await openSandbox();
    const page = await requestInDoubt(sandbox);
    await modalOf(page).getByRole('button', { name: 'Found it' }).click();
    await modalOf(page)
      .getByLabel('Card link or ID')
      .fill(sandbox.service.cards.all().at(-1)?.id ?? '');
    await expectAccessible(page);
    await modalOf(page).getByRole('button', { name: 'Save' }).click();
    await modalOf(page).getByText('Got it.').waitFor();
    await modalOf(page).locator('footer').getByRole('button').first().click();
    await modalOf(page).getByText('Sent').waitFor();
    await closeModal(page);
    await lastMessage(page).getByRole('button', { name: 'Refresh' }).waitFor();
    expect(cardsCalled(sandbox, 'Spring banner')).toHaveLength(1);
  });

  it('a request in doubt: “Discard” sends nothing and confirms nothing', async ({ sandbox }) => {
    const page = await requestInDoubt(sandbox);
    const note = await openNote(page);
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
    expect(cardsCalled(sandbox, 'Spring banner')).toHaveLength(1);
  });

  it('a frozen app exceeds Slack’s three seconds, and the page shows them', async () => {
    const { sandbox, page } = await openPage();
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

import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { expectAccessible, it } from './sandbox.ts';
import {
  closeModal,
  command,
  composerOf,
  connectKey,
  field,
  fillForm,
  isFocused,
  lastMessage,
  modalOf,
  previewsOf,
  say,
  send,
  tabTo,
} from './slack-page.ts';

const tryThis = (page: Page) => page.getByRole('region', { name: 'Try this' });
const doneOf = (page: Page) =>
  tryThis(page)
    .getByText(/\d of 6 done/)
    .textContent();
/** Whether the element's top is within the visible part of the conversation. */
const isInView = (page: Page) =>
  lastMessage(page).evaluate((message) => {
    const shown = message.closest('[role=log]')?.getBoundingClientRect();
    const { top } = message.getBoundingClientRect();
    return shown !== undefined && top >= shown.top && top < shown.bottom - 20;
  });

describe('a newcomer', () => {
  it('ticks off the list by trying each thing', { timeout: 240_000 }, async ({
    sandbox,
    page,
    dashboard,
  }) => {
    await expect.poll(() => doneOf(page)).toBe('0 of 6 done');

    await fillForm(page, 'Spring banner');
    await send(page);
    await expect.poll(() => doneOf(page)).toBe('1 of 6 done');
    await lastMessage(page).waitFor();
    await closeModal(page);

    await tryThis(page).getByRole('button', { name: 'Type it for me' }).click();
    await page.keyboard.press('Enter');
    await expect.poll(() => doneOf(page)).toBe('2 of 6 done');

    // The card has a link, its title is in the list, and both are found by the reference that people are told.
    const reference = /DR-\w{8}/.exec((await page.getByRole('log').textContent()) ?? '')?.[0] ?? '';
    await dashboard.getByRole('searchbox', { name: 'Search cards' }).fill(reference);
    const rows = dashboard.getByRole('region', { name: /^Cards/ }).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(1);
    await rows.getByRole('button', { name: /^Spring banner/ }).click();
    await dashboard.getByRole('button', { name: 'Add finished picture' }).click();
    await dashboard.getByText('spring-banner-v1.png').waitFor();
    await dashboard.getByLabel('Status').selectOption('Done');
    await expect.poll(() => doneOf(page)).toBe('3 of 6 done');

    await dashboard.getByRole('button', { name: /^503/ }).click();
    // Of a second request, only the description is new.
    await command(page, 'Summer banner');
    await modalOf(page).getByRole('textbox', { name: 'Description' }).fill('Sunny.');
    await send(page);
    const fault = dashboard.getByRole('button', { name: /^503/ });
    await expect.poll(() => fault.getAttribute('aria-pressed')).toBe('false');
    await dashboard.getByText(/triggered once/).waitFor();
    await expect.poll(() => doneOf(page)).toBe('4 of 6 done');
    await closeModal(page);

    await page.getByRole('button', { name: 'Freeze app' }).click();
    await page.getByText('Slack waits three seconds').waitFor();
    await say(page, 'Is anybody there?');
    await page.getByRole('button', { name: 'Resume app' }).click();
    await expect.poll(() => doneOf(page)).toBe('5 of 6 done');
    await page.getByText('Slack waits three seconds').waitFor({ state: 'hidden' });

    await dashboard.getByRole('button', { name: 'Revoke the key of Acme' }).click();
    await dashboard.getByText('Revoked: every call with it gets 401.').waitFor();
    await tryThis(page).getByRole('button', { name: 'Switch to Ada' }).click();
    await page.getByRole('button', { name: 'You are Ada Admin. Switch person' }).waitFor();
    await command(page, 'connect');
    await field(page, 'API key').fill(sandbox.service.apiKey);
    await send(page, 'Connect');
    await modalOf(page).getByText('doesn’t accept this key').waitFor();
    await expectAccessible(page);
    await closeModal(page);
    await dashboard.getByRole('button', { name: 'New key for Acme' }).click();
    const key = (await dashboard.getByText('dsk_').first().textContent()) ?? '';
    await connectKey(page, key);
    expect(await page.content()).not.toContain(key);
    // It is folded away.
    await tryThis(page).getByText('You’ve seen it all').waitFor();
    expect(await tryThis(page).getByRole('listitem').count()).toBe(0);
    expect(await doneOf(dashboard)).toBe('6 of 6 done');
  });

  it('edits a message: a new link gets a preview, and one that is gone loses it', async ({
    sandbox,
    page,
  }) => {
    await say(page, `See ${sandbox.cardUrl('card-1001')}`);
    const message = lastMessage(page);
    await previewsOf(message).getByText('Spring sale banner').first().waitFor();
    await message.getByRole('button', { name: 'Edit message' }).click();
    await expectAccessible(page);
    await message
      .getByRole('textbox', { name: 'Message' })
      .fill(`No: ${sandbox.cardUrl('card-1002')}`);
    await page.keyboard.press('Enter');
    await previewsOf(message).getByText('Investor deck').first().waitFor();
    await message.getByText('(edited)').waitFor();
    expect(await previewsOf(message).getByText('Spring sale banner').count()).toBe(0);
  });

  it('always sees what they posted, however tall its preview, and wherever they had scrolled', async ({
    sandbox,
    page,
  }) => {
    const { cards } = sandbox.service;
    cards.update('card-1001', {
      dimensions: Array.from({ length: 60 }, (_, line) => `Size ${line}: 10 × 10 px`).join('\n'),
    });
    for (const id of ['card-1001', 'card-1002', 'card-1001']) {
      await say(page, sandbox.cardUrl(id));
      await previewsOf(lastMessage(page)).first().waitFor();
    }
    await expect.poll(() => isInView(page)).toBe(true);
    // A reader who has scrolled up stays there …
    const log = page.getByRole('log', { name: 'Messages' });
    await log.hover();
    await page.mouse.wheel(0, -5_000);
    await expect.poll(() => log.evaluate((box) => box.scrollTop)).toBe(0);
    await sandbox.acme.as(sandbox.ada).post(sandbox.general, 'Good morning');
    await log.getByText('Good morning').waitFor();
    expect(await log.evaluate((box) => box.scrollTop)).toBe(0);
    // … until they post themselves.
    await say(page, 'Good morning, Ada');
    await expect.poll(() => isInView(page)).toBe(true);
  });
});

describe('with the keyboard', () => {
  it('the focus returns to the message box when a modal closes', async ({ page }) => {
    await command(page, 'Spring banner');
    await modalOf(page).getByLabel('Title').waitFor();
    await page.keyboard.press('Escape');
    await modalOf(page).waitFor({ state: 'hidden' });
    await expect.poll(() => isFocused(composerOf(page))).toBe(true);
  });

  it('the message box is at most five Tabs away, and one with the skip link', async ({
    sandbox,
    page,
  }) => {
    for (const id of ['card-1001', 'card-1002']) {
      await say(page, sandbox.cardUrl(id));
      await previewsOf(lastMessage(page)).waitFor();
    }
    const skip = page.getByRole('link', { name: 'Skip to main content' });
    const isFirst = () =>
      skip.evaluate((link) => link === document.querySelector('a, button, input, [tabindex]'));
    expect(await isFirst()).toBe(true);
    await skip.focus();
    const tabs = await tabTo(composerOf(page), 20);
    expect(tabs + 1).toBeLessThanOrEqual(5);

    await skip.focus();
    await page.keyboard.press('Enter');
    expect(await isFocused(composerOf(page))).toBe(true);
  });

  it('arrow keys move between messages, Enter goes into one, Escape leaves it', async ({
    sandbox,
    page,
  }) => {
    for (const text of ['One', sandbox.cardUrl('card-1001')]) await say(page, text);
    await previewsOf(lastMessage(page)).getByRole('button', { name: 'More choices' }).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.tagName.toLowerCase());
    const isOn = (index: number) =>
      isFocused(page.getByRole('main').getByRole('article').nth(index));
    await page.keyboard.press('Shift+Tab');
    expect(await isOn(1)).toBe(true);
    await page.keyboard.press('ArrowUp');
    expect(await isOn(0)).toBe(true);
    await page.keyboard.press('End');
    expect(await isOn(1)).toBe(true);
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('a');
    const more = previewsOf(lastMessage(page)).getByRole('button', { name: 'More choices' });
    await tabTo(more, 10);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByText('Refresh: answered').waitFor();
    await page.keyboard.press('Escape');
    expect(await isOn(1)).toBe(true);
    await page.keyboard.press('Tab');
    expect(await isFocused(composerOf(page))).toBe(true);
  });
});

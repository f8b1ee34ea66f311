import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { it } from './sandbox.ts';
import { composerOf, isFocused, lastMessage, modalOf, replyTo, say } from './slack-page.ts';

describe('the focus', () => {
  it('goes to the reply of a thread that is opened, and back when it is closed', async ({
    page,
  }) => {
    await say(page, 'Which banner?');
    const thread = await replyTo(lastMessage(page));
    await thread.getByRole('textbox').waitFor();
    await page.keyboard.type('The blue one');
    expect(await thread.getByRole('textbox').inputValue()).toBe('The blue one');
    await thread.getByRole('button', { name: 'Close thread' }).click();
    await thread.waitFor({ state: 'hidden' });
    await expect.poll(() => isFocused(composerOf(page))).toBe(true);
    await page.keyboard.type('Thanks');
    expect(await composerOf(page).inputValue()).toBe('Thanks');
  });

  it('goes to the message box when a workflow is closed', async ({ page }) => {
    await page.getByRole('button', { name: 'Create a design request' }).click();
    await modalOf(page).getByRole('button', { name: 'Close' }).last().click();
    await modalOf(page).waitFor({ state: 'hidden' });
    await expect.poll(() => isFocused(composerOf(page))).toBe(true);
    await page.keyboard.type('Thanks');
    expect(await composerOf(page).inputValue()).toBe('Thanks');
  });
});

describe('a thread', () => {
  const openThreadOf = (page: Page, text: string) =>
    replyTo(page.getByRole('main').getByRole('article').filter({ hasText: text }));

  it('doesn’t offer what was typed in another one', async ({ page }) => {
    await say(page, 'Which banner?');
    await say(page, 'Which poster?');
    const first = await openThreadOf(page, 'Which banner?');
    await first.getByRole('textbox').fill('The blue banner');
    const second = await openThreadOf(page, 'Which poster?');
    await second.getByText('Which poster?').waitFor();
    expect(await second.getByRole('textbox').inputValue()).toBe('');
  });

  it('keeps the last reply in view', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 500 });
    await say(page, 'Which banner?');
    const thread = await openThreadOf(page, 'Which banner?');
    for (let number = 1; number <= 12; number += 1) {
      await thread.getByRole('textbox').fill(`Reply ${number}`);
      await thread.getByRole('textbox').press('Enter');
      await thread.getByText(`Reply ${number}`, { exact: true }).waitFor();
    }
    const isLastSeen = () =>
      thread.getByRole('log').evaluate((box) => {
        const [bottom = 0] = [...box.querySelectorAll('article')]
          .slice(-1)
          .map((reply) => reply.getBoundingClientRect().bottom);
        return bottom <= box.getBoundingClientRect().bottom + 1;
      });
    await expect.poll(isLastSeen).toBe(true);
    await thread.getByRole('button', { name: 'Close thread' }).click();
    await page.getByRole('button', { name: '12 replies' }).click();
    await expect.poll(isLastSeen).toBe(true);
  });
});

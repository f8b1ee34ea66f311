import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { it } from './sandbox.ts';
import { composerOf, isFocused, lastMessage, replyTo, say } from './slack-page.ts';

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
});

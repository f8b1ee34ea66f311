import { describe, expect } from 'vitest';
import { expectAccessible, it, openPage, PHONE } from './sandbox.ts';
import { composerOf, field, isFocused, lastMessage, modalOf, say } from './slack-page.ts';

describe('the shortcuts', () => {
  it('open the form from the menu of a message, with the keyboard only', async ({ page }) => {
    await say(page, 'Banner for the spring sale');
    const message = lastMessage(page);
    await message.getByText('Banner for the spring sale').waitFor();
    const menu = message.getByRole('button', { name: 'More actions' });
    await menu.focus();
    await page.keyboard.press('Enter');
    const item = page.getByRole('menuitem', { name: /^Create design request/ });
    await item.waitFor();
    await expectAccessible(page);
    // Escape closes the menu and returns to its button.
    await page.keyboard.press('Escape');
    await item.waitFor({ state: 'hidden' });
    expect(await isFocused(menu)).toBe(true);
    await page.keyboard.press('Enter');
    await item.waitFor();
    await page.keyboard.press('Enter');
    await modalOf(page).getByLabel('Title').waitFor();
    expect(await modalOf(page).getByLabel('Title').inputValue()).toBe('Banner for the spring sale');
    expect(await field(page, 'Description').textContent()).toMatch(
      /Banner for the spring sale.*From a message by @Ann in #general · Open the message in Slack/s,
    );
  });

  it('open the form from the composer, on a phone', async () => {
    const { page } = await openPage({ context: { viewport: PHONE, hasTouch: true } });
    await composerOf(page).waitFor();
    await page.getByRole('button', { name: 'Shortcuts' }).tap();
    const item = page.getByRole('menuitem', { name: /^Request a design/ });
    await item.waitFor();
    const box = await item.boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= PHONE.width).toBe(true);
    await item.tap();
    await modalOf(page).getByLabel('Title').waitFor();
  });
});

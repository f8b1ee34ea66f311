import { describe, expect } from 'vitest';
import { it } from './sandbox.ts';
import {
  composerOf,
  field,
  isFocused,
  lastMessage,
  modalOf,
  previewsOf,
  tabTo,
} from './slack-page.ts';

describe('with the keyboard only', () => {
  it('a person requests a banner and sees its link unfurl', async ({ sandbox, page }) => {
    const { keyboard } = page;
    await composerOf(page).waitFor();
    await tabTo(composerOf(page), 40);

    await keyboard.type('/des');
    await page.getByRole('option', { name: /design-request/ }).waitFor();
    await keyboard.press('Tab');
    await keyboard.type('Spring banner');
    await keyboard.press('Enter');
    await modalOf(page).getByLabel('Title').waitFor();
    const pick = async (label: string, typed: string, key = 'Tab') => {
      await tabTo(field(page, label), 20, key);
      await keyboard.type(typed);
      await keyboard.press('Enter');
    };
    // The title came with the command.
    const editor = modalOf(page).getByRole('textbox', { name: 'Description' });
    await expect.poll(() => isFocused(editor)).toBe(true);
    await pick('Request type', 'social', 'Shift+Tab');
    await expect
      .poll(() => modalOf(page).getByLabel('Request type').inputValue())
      .toBe('Social media');
    // Redrawn for the type, which closes open menus.
    await modalOf(page).getByRole('combobox', { name: 'Software' }).waitFor();
    await tabTo(editor, 10);
    await keyboard.type('Fresh and ');
    await keyboard.press('Control+b');
    await keyboard.type('light');
    await tabTo(field(page, 'Sizes'), 20);
    await keyboard.type('Post: 1080 × 1080 px');
    await pick('File formats', 'png');
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await keyboard.press('Escape');
    await pick('Product', 'graphics');
    await pick('Software', 'fig');
    const sending = modalOf(page).getByRole('button', { name: 'Send' });
    await tabTo(sending, 30);
    await keyboard.press('Enter');
    await modalOf(page).getByText('Sent').waitFor();
    await keyboard.press('Escape');
    await modalOf(page).waitFor({ state: 'hidden' });

    const card = sandbox.service.cards.get('card-1009');
    expect(card).toMatchObject({ title: 'Spring banner', fileFormats: 'PNG, JPG' });
    expect(card?.description).toContain('<strong>light</strong>');
    await tabTo(composerOf(page), 40);
    await keyboard.type(sandbox.cardUrl('card-1009'));
    await keyboard.press('Enter');
    await previewsOf(lastMessage(page)).getByRole('button', { name: 'More choices' }).waitFor();
  });
});

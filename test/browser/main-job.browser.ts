import { describe, expect, it } from 'vitest';
import { expectAccessible, openPage } from './sandbox.ts';
import {
  closeModal,
  command,
  composerOf,
  fillForm,
  lastMessage,
  previewsOf,
  say,
  sendAndWait,
} from './slack-page.ts';

describe('the main job in the browser', () => {
  it('goes from the command to the form, the card, the confirmation, the unfurl, and the list', async () => {
    const { sandbox, page } = await openPage({ pages: 'development' });
    await composerOf(page).waitFor();
    await expectAccessible(page);

    await fillForm(page, 'Spring banner');
    await expectAccessible(page);
    await sendAndWait(page);
    await expectAccessible(page);
    await closeModal(page);

    const confirmation = lastMessage(page);
    await confirmation.getByRole('button', { name: 'Refresh' }).waitFor();
    expect(await confirmation.textContent()).toMatch(
      /@Ann.* requested Spring banner.*To do · Social media.*DR-/s,
    );

    await say(page, `Have a look: ${sandbox.cardUrl('card-1009')}`);
    const preview = previewsOf(lastMessage(page));
    await preview.getByRole('button', { name: 'More choices' }).waitFor();
    expect(await preview.textContent()).toMatch(
      /Spring banner.*To do · Social media.*Fresh and light\./s,
    );

    const card = sandbox.service.cards.get('card-1009');
    expect(card).toMatchObject({ title: 'Spring banner', fileFormats: 'PNG', software: 'Figma' });

    await command(page, 'list');
    const line = /Spring banner ·\s*To do · .+ · requested .+ · DR-/;
    await lastMessage(page).filter({ hasText: line }).waitFor();
    await lastMessage(page).getByRole('button', { name: 'More choices' }).waitFor();
  });
});

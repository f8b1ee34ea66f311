import { describe } from 'vitest';
import { expectAccessible, it, PHONE } from './sandbox.ts';
import { command, composerOf, fillForm, lastMessage, sendAndClose } from './slack-page.ts';

describe('subcommands in the browser', () => {
  it('list a request in one line, and ask about a mistyped word', async ({ page }) => {
    await composerOf(page).waitFor();
    await fillForm(page, 'Spring banner');
    await sendAndClose(page);
    await lastMessage(page).getByRole('button', { name: 'Refresh' }).waitFor();

    await command(page, 'list');
    const line = /Spring banner ·\s*To do · .+ · requested .+ · DR-/;
    await lastMessage(page).filter({ hasText: line }).waitFor();
    await lastMessage(page).getByRole('button', { name: 'More choices' }).waitFor();
    await expectAccessible(page);

    await command(page, 'hlep');
    const yes = lastMessage(page).getByRole('button', { name: 'Yes, help' });
    await yes.waitFor();
    await page.setViewportSize(PHONE);
    await expectAccessible(page);
    await yes.press('Enter');
    await lastMessage(page).getByText('show this list').waitFor();
  });
});

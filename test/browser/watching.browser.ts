import { describe, expect, it } from 'vitest';
import { expectAccessible, openPage } from './sandbox.ts';
import { fillForm, sendAndClose, threadOf } from './slack-page.ts';

describe('watching in the browser', () => {
  it('a status changed in the dashboard shows in the confirmation and in its thread, with Stop watching', async () => {
    const { sandbox, page } = await openPage();
    await fillForm(page, 'Spring banner');
    await sendAndClose(page);
    const main = page.getByRole('main');
    const refresh = main.getByRole('button', { name: 'Refresh: Spring banner' });
    await refresh.waitFor();
    const cardId = sandbox.service.cards.all().at(-1)?.id ?? '';
    // The app's first read of the card is what its watchers know, and draws the confirmation again.
    await expect
      .poll(() => sandbox.slack.apiCalls.filter(({ method }) => method === 'chat.update').length, {
        timeout: 20_000,
      })
      .toBeGreaterThan(0);

    const dashboard = await sandbox.open(`/dashboard?card=${cardId}`);
    await dashboard.getByLabel('Status').selectOption('Done');
    // Refresh tells at once what would otherwise be found within two minutes. Once in ten seconds, it reads the card.
    const replies = main.getByRole('button', { name: /^1 repl/ });
    await expect
      .poll(
        async () => {
          await refresh.click();
          return replies.count();
        },
        { timeout: 60_000, interval: 11_000 },
      )
      .toBe(1);
    await main.getByText('Done').first().waitFor();
    await replies.click();
    await page.getByText('is done: To do → Done').first().waitFor();
    await expectAccessible(page);
    const thread = threadOf(page);
    await thread.getByRole('button', { name: 'Stop watching: Spring banner' }).click();
    await thread.getByText('Stopped.').waitFor();
    expect(await replies.count()).toBe(1);
  }, 120_000);
});

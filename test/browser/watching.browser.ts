import { describe, expect } from 'vitest';
import { it } from './sandbox.ts';
import { fillForm, sendAndClose, threadOf } from './slack-page.ts';

describe('watching in the browser', () => {
  it('a status changed in the dashboard shows in the confirmation and in its thread, with Stop watching', async ({
    sandbox,
    page,
  }) => {
    await fillForm(page, 'Spring banner');
    await sendAndClose(page);
    const main = page.getByRole('main');
    const refresh = main.getByRole('button', { name: 'Refresh: Spring banner' });
    await refresh.waitFor();
    const cardOf = () => sandbox.service.cards.all().at(-1);

    const dashboard = await sandbox.open(`/dashboard?card=${cardOf()?.id}`);
    await dashboard.getByLabel('Status').selectOption('Done');
    await expect.poll(() => cardOf()?.status.name).toBe('Done');
    // Refresh tells at once what would otherwise be found within two minutes.
    await refresh.click();
    const replies = main.getByRole('button', { name: /^1 repl/ });
    await replies.waitFor();
    await main.getByText('Done').first().waitFor();
    await replies.click();
    // Its status before is named only if it was read then: test/journeys/watching.
    await page.getByText('is done').first().waitFor();
    const thread = threadOf(page);
    await thread.getByRole('button', { name: 'Stop watching: Spring banner' }).click();
    await thread.getByText('Stopped.').waitFor();
    expect(await replies.count()).toBe(1);
  });
});

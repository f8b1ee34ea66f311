import { describe, it } from 'vitest';
import { expectAccessible, expectToFit, openPage, PHONE } from './sandbox.ts';
import { command, composerOf, lastMessage, modalOf, previewsOf, say } from './slack-page.ts';

describe.each(['light', 'dark'] as const)('on a phone, in the %s scheme', (colorScheme) => {
  it('every page fits, is reachable, and is accessible', async () => {
    const { sandbox, page } = await openPage({
      context: { viewport: PHONE, colorScheme, hasTouch: true },
    });
    await say(page, sandbox.cardUrl('card-1001'));
    await previewsOf(lastMessage(page)).getByRole('button', { name: 'More choices' }).waitFor();
    await expectToFit(page);
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Show conversations' }).click();
    await page.getByRole('button', { name: /^design/ }).click();
    await composerOf(page).and(page.getByLabel('Message #design')).waitFor();
    await command(page, 'Spring banner');
    await modalOf(page).getByLabel('Title').waitFor();
    await expectToFit(page);
    await expectAccessible(page);

    await page.goto(`${sandbox.pages.url}/dashboard?card=card-1001`);
    await page.getByRole('article').waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Back to cards' }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await expectToFit(page);
    await page.goto(`${sandbox.pages.url}/log`);
    await page.getByRole('listitem').first().waitFor();
    await expectToFit(page);
    await expectAccessible(page);
  });
});

describe('on a laptop, in the dark scheme', () => {
  it('every page is accessible', async () => {
    const { sandbox, page } = await openPage({ context: { colorScheme: 'dark' } });
    await say(page, sandbox.cardUrl('card-1001'));
    await previewsOf(lastMessage(page)).getByRole('button', { name: 'More choices' }).waitFor();
    await expectAccessible(page);
    await command(page, 'Spring banner');
    await modalOf(page).getByLabel('Title').waitFor();
    await expectAccessible(page);
    const dashboard = await sandbox.open('/dashboard?card=card-1001');
    await dashboard.getByRole('article').waitFor();
    await expectAccessible(dashboard);
    const log = await sandbox.open('/log');
    await log.getByRole('listitem').first().waitFor();
    await expectAccessible(log);
  });
});

import { describe, it } from 'vitest';
import { expectAccessible, expectToFit, openPage, PHONE } from './sandbox.ts';
import {
  command,
  composerOf,
  lastMessage,
  modalOf,
  openSidebar,
  previewsOf,
  say,
} from './slack-page.ts';

describe.each([
  ['a phone, in the light scheme', { viewport: PHONE, hasTouch: true, colorScheme: 'light' }],
  ['a phone, in the dark scheme', { viewport: PHONE, hasTouch: true, colorScheme: 'dark' }],
  ['a laptop, in the dark scheme', { colorScheme: 'dark' }],
] as const)('on %s', (_name, context) => {
  it('every page fits, is reachable, and is accessible', async () => {
    const { sandbox, page } = await openPage({ context });
    await say(page, sandbox.cardUrl('card-1001'));
    await previewsOf(lastMessage(page)).getByRole('button', { name: 'More choices' }).waitFor();
    await expectToFit(page);
    await expectAccessible(page);

    await openSidebar(page);
    await page.getByRole('button', { name: /^design/ }).click();
    await composerOf(page).and(page.getByLabel('Message #design')).waitFor();
    await command(page, 'Spring banner');
    await modalOf(page).getByLabel('Title').waitFor();
    await expectToFit(page);
    await expectAccessible(page);

    await page.goto('/dashboard?card=card-1001');
    await page.getByRole('article').waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    const back = page.getByRole('button', { name: 'Back to cards' });
    if (await back.isVisible()) await back.click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await expectToFit(page);
    await page.goto('/log');
    await page.getByRole('listitem').first().waitFor();
    // Closed on phones.
    await page.getByText('Try this').click();
    await expectToFit(page);
    await expectAccessible(page);
  });
});

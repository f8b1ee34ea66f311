import { describe, expect } from 'vitest';
import { expectAccessible, expectToFit, it, PHONE } from './sandbox.ts';
import { chooseFromMenu, composerOf, lastMessage, modalOf, previewsOf, say } from './slack-page.ts';

describe('card links in the browser', () => {
  it('one link unfurls small: color, facts, thumbnail, and a working menu', async ({
    sandbox,
    page,
  }) => {
    await say(page, `Look: ${sandbox.cardUrl('card-1001')}`);
    const preview = previewsOf(lastMessage(page));
    await preview.getByRole('img', { name: /spring-banner-v2\.png/ }).waitFor();
    await preview.getByRole('img', { name: 'purple circle' }).waitFor();
    const color = () => preview.evaluate((bar) => getComputedStyle(bar).borderInlineStartColor);
    expect(await color()).toBe('rgb(162, 89, 255)');
    expect(await preview.textContent()).toMatch(/In review · .* · due .*Requested by Ana/s);

    sandbox.service.cards.update('card-1001', {
      status: { id: 'status-done', name: 'Done', color: '#30a46c' },
    });
    await chooseFromMenu(preview, 'Refresh');
    await expect.poll(() => preview.textContent()).toMatch(/Done/);
    expect(await color()).toBe('rgb(48, 164, 108)');

    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      preview.getByRole('link', { name: 'Spring sale banner' }).click(),
    ]);
    await opened.getByRole('heading', { name: 'Spring sale banner' }).waitFor();
    expect(opened.url()).toBe(`${sandbox.pages.url}/dashboard?card=card-1001`);
  });

  it('Show all shows everything in a modal, by keyboard on a phone, too', async ({
    sandbox,
    page,
  }) => {
    await page.setViewportSize(PHONE);
    await say(page, sandbox.cardUrl('card-1001'));
    const preview = previewsOf(lastMessage(page));
    const more = preview.getByRole('button', { name: 'More choices' });
    await more.press('Enter');
    await preview.getByRole('menuitem', { name: 'Refresh' }).press('End');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    const modal = modalOf(page);
    await modal.getByText('Instagram post: 1080 x 1080 px').waitFor();
    await modal.getByRole('img', { name: /spring-banner-v2\.png/ }).waitFor();
    await expectAccessible(page);
    await expectToFit(page);
  });

  it('links in the composer show title and status before they are sent', async ({
    sandbox,
    page,
  }) => {
    await composerOf(page).fill(`Have a look: ${sandbox.cardUrl('card-1001')}`);
    const preview = page.getByRole('group', { name: 'Link preview' });
    await preview.getByText('Spring sale banner').waitFor();
    expect(await preview.textContent()).toBe('Spring sale bannerIn review');
    expect(sandbox.acme.messages(sandbox.general)).toEqual([]);
    await expectAccessible(page);
    await composerOf(page).fill('Rather not');
    await preview.waitFor({ state: 'hidden' });
  });

  it('the service’s text is shown as text: no mention, no script, no picture from elsewhere', async ({
    sandbox,
    page,
  }) => {
    sandbox.service.cards.update('card-1006', {
      status: { id: 's', name: 'To do', color: '#5b6cff' },
    });
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).hostname !== '127.0.0.1') elsewhere.push(request.url());
    });
    await say(page, sandbox.cardUrl('card-1006'));
    await previewsOf(lastMessage(page)).getByText('icons for the <help> centre & docs').waitFor();
    await page.goto('/dashboard?card=card-1006');
    const description = page.getByRole('region', { name: 'Description' });
    await description.getByText('<!channel>').waitFor();
    await page.goto('/dashboard?card=card-1004');
    await page.getByText('Last year’s flyer').waitFor();
    expect(elsewhere).toEqual([]);
    expect(await page.locator('.mention').count()).toBe(0);
  });
});

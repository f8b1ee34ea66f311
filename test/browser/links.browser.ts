import { describe, expect, it } from 'vitest';
import { expectAccessible, expectToFit, openPage, openSandbox, PHONE } from './sandbox.ts';
import { chooseFromMenu, composerOf, lastMessage, modalOf, previewsOf, say } from './slack-page.ts';

describe('card links in the browser', () => {
  it('one link unfurls small: color, facts, thumbnail, and a working menu', async () => {
    const { sandbox, page } = await openPage();
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

  it('Show all shows everything in a modal, by keyboard on a phone, too', async () => {
    const { sandbox, page } = await openPage({ context: { viewport: PHONE } });
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

  it('of four links, the first three unfurl, with the number of the others', async () => {
    const { sandbox, page } = await openPage();
    const links = (...ids: string[]) => ids.map(sandbox.cardUrl).join(' and ');
    await say(page, links('card-1001', 'card-1002'));
    const previews = previewsOf(lastMessage(page));
    await expect.poll(() => previews.count()).toBe(2);
    expect(await previews.nth(1).textContent()).toMatch(/Investor deck.*In progress/s);

    await say(page, links('card-1001', 'card-1002', 'card-1003', 'card-1004'));
    await expect.poll(() => lastMessage(page).textContent()).toMatch('card-1004');
    await expect.poll(() => previewsOf(lastMessage(page)).count()).toBe(3);
    expect(await previewsOf(lastMessage(page)).last().textContent()).toContain(
      '1 more card in this message isn’t shown.',
    );
    await expectAccessible(page);
  });

  it('links in the composer show title and status before they are sent', async () => {
    const { sandbox, page } = await openPage();
    await composerOf(page).fill(`Have a look: ${sandbox.cardUrl('card-1001')}`);
    const preview = page.getByRole('group', { name: 'Link preview' });
    await preview.getByText('Spring sale banner').waitFor();
    expect(await preview.textContent()).toBe('Spring sale bannerIn review');
    expect(sandbox.acme.messages(sandbox.general)).toEqual([]);
    await expectAccessible(page);
    await composerOf(page).fill('Rather not');
    await preview.waitFor({ state: 'hidden' });
  });

  it('the service’s text is shown as text: no mention, no script, no picture from elsewhere', async () => {
    const sandbox = await openSandbox();
    sandbox.service.cards.update('card-1006', {
      status: { id: 's', name: 'To do', color: '#5b6cff' },
    });
    const page = await sandbox.open();
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).hostname !== '127.0.0.1') elsewhere.push(request.url());
    });
    await say(page, sandbox.cardUrl('card-1006'));
    await previewsOf(lastMessage(page)).getByText('icons for the <help> centre & docs').waitFor();
    await page.goto(`${sandbox.pages.url}/dashboard?card=card-1006`);
    const description = page.getByRole('region', { name: 'Description' });
    await description.getByText('<!channel>').waitFor();
    await page.goto(`${sandbox.pages.url}/dashboard?card=card-1004`);
    await page.getByText('Last year’s flyer').waitFor();
    expect(elsewhere).toEqual([]);
    expect(await page.locator('.mention').count()).toBe(0);
  });
});

import { describe, expect } from 'vitest';
import { expectAccessible, it } from './sandbox.ts';
import {
  command,
  fillForm,
  lastMessage,
  previewsOf,
  say,
  sendAndClose,
  sendAndWait,
} from './slack-page.ts';

describe('the dashboard', () => {
  it('shows a new card with all its fields and the call that created it', async ({
    page,
    dashboard,
  }) => {
    await fillForm(page, 'Spring banner');
    await sendAndWait(page);
    await dashboard.getByRole('button', { name: /^Spring banner/ }).click();
    const card = dashboard.getByRole('article');
    await card.getByRole('region', { name: 'Description' }).getByText('Fresh and light.').waitFor();
    expect(await card.textContent()).toMatch(
      /request_typeSocial media.*softwareFigma.*file_formatsPNG/s,
    );
    await card.getByText('Sent with POST /card').click();
    await card.getByText('"typeId": "type-social"').waitFor();
    await dashboard.goBack();
    await dashboard.getByText('Select a card').waitFor();
  });

  it('changes a card’s status, adds a picture, and edits it, as the next unfurl shows', async ({
    sandbox,
  }) => {
    const dashboard = await sandbox.open('/dashboard?card=card-1002');
    await dashboard.getByLabel('Status').selectOption('Done');
    await dashboard.getByRole('button', { name: 'Add finished picture' }).click();
    await dashboard.getByText('investor-deck-autumn-edition-v1.png').waitFor();
    await dashboard.getByRole('button', { name: 'Edit', exact: true }).click();
    await expectAccessible(dashboard);
    await dashboard.getByLabel('Title').fill('Investor deck, final');
    await dashboard.getByLabel('Description, as HTML').fill('<p>All <b>forty</b> slides</p>');
    await dashboard.getByLabel('Due').fill('2027-01-15');
    await dashboard.getByRole('button', { name: 'Save' }).click();
    await dashboard.getByRole('heading', { name: 'Investor deck, final' }).waitFor();

    const page = await sandbox.open();
    await say(page, sandbox.cardUrl('card-1002'));
    const preview = previewsOf(lastMessage(page));
    await preview.getByRole('img', { name: /investor-deck/ }).waitFor();
    expect(await preview.textContent()).toMatch(
      /Investor deck, final.*Done.*due 15 Jan 2027.*All forty slides/s,
    );
  });

  it('shows who caused each call, and how many are left this minute', async ({
    page,
    dashboard,
  }) => {
    const gauge = dashboard.getByRole('meter', { name: 'Calls left for Acme' });
    const before = Number(await gauge.getAttribute('value'));
    await command(page, 'status card-1001');
    const call = dashboard.getByRole('listitem').filter({ hasText: 'GET /card/card-1001' });
    await call.getByText('Acme: Ann typed /design-request').waitFor();
    await expect.poll(async () => Number(await gauge.getAttribute('value'))).toBeLessThan(before);

    await dashboard.getByLabel('Calls per minute').first().selectOption('5');
    await expect.poll(() => gauge.getAttribute('max')).toBe('5');
    expect(Number(await gauge.getAttribute('value'))).toBeLessThan(5);
  });
});

describe('the log', () => {
  it('shows every payload in order, compared with Slack’s three seconds', async ({
    sandbox,
    page,
  }) => {
    await fillForm(page, 'Spring banner');
    await sendAndClose(page);
    await lastMessage(page).getByRole('button', { name: 'Refresh' }).waitFor();

    const log = await sandbox.open('/log');
    const lines = log.getByRole('list', { name: 'Exchanges, newest first' }).getByRole('listitem');
    await lines.filter({ hasText: 'chat.postMessage' }).waitFor();
    const titles = (await lines.allTextContents()).reverse();
    const at = (part: string) => titles.findIndex((title) => title.includes(part));
    const inOrder = [
      'Ann typed /design-request',
      'views.open',
      'Ann sent “Design request”',
      'POST /card',
      'chat.postMessage',
    ];
    expect(inOrder.map(at)).toEqual(inOrder.map(at).toSorted((one, other) => one - other));
    expect(at('Ann typed')).toBeGreaterThanOrEqual(0);
    expect(titles[at('Ann typed')]).toMatch(/\d+ ms of 3 s/);

    await lines.filter({ hasText: 'Ann sent' }).getByRole('button').click();
    const request = log.getByRole('region', { name: 'Request' });
    await request.getByText('"type": "view_submission"').waitFor();
    await log
      .getByRole('region', { name: 'Answer' })
      .getByText('"response_action": "update"')
      .waitFor();
    await expectAccessible(log);

    await log.getByRole('checkbox', { name: 'Slack' }).uncheck();
    await expect
      .poll(async () => (await lines.allTextContents()).every((line) => /GET|POST/.test(line)))
      .toBe(true);
    await log.getByRole('searchbox').fill('POST');
    await expect.poll(() => lines.count()).toBe(1);
  });
});

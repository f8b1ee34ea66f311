import { describe, expect } from 'vitest';
import { expectAccessible, it } from './sandbox.ts';
import {
  choose,
  command,
  field,
  fillForm,
  isFocused,
  modalOf,
  send,
  sendAndWait,
  showAllFields,
} from './slack-page.ts';

describe('the form in the browser', () => {
  it('that was closed in the middle of typing is offered again with all of it', async ({
    page,
  }) => {
    await command(page);
    await field(page, 'Description').click();
    await page.keyboard.type('Fresh and light.');
    await page.keyboard.press('Escape');
    await modalOf(page).waitFor({ state: 'hidden' });
    await command(page);
    await modalOf(page).getByRole('button', { name: 'Continue your request' }).click();
    await expect.poll(() => field(page, 'Description').textContent()).toMatch(/Fresh and light\./);
  });

  it('searches among 300 brands during typing, says if there are none, and tells apart two of one name', async ({
    sandbox,
    page,
  }) => {
    await fillForm(page, 'Spring banner');
    const brand = field(page, 'Brand');
    const offered = modalOf(page).getByRole('option');
    await brand.click();
    await expect.poll(() => offered.count()).toBe(100);
    await brand.pressSequentially('fjord');
    await expect.poll(() => offered.first().textContent()).toBe('Fjord Analytics');
    expect(await offered.allTextContents()).not.toContain('Amber Analytics');
    await expectAccessible(page);
    await brand.fill('nobody is called so');
    await modalOf(page).getByText('No results').waitFor();
    await brand.fill('acme');
    await modalOf(page)
      .getByRole('option', { name: /^Acme.*brand-2$/ })
      .click();
    await expect.poll(() => brand.inputValue()).toMatch('Acme');
    await sendAndWait(page);
    expect(sandbox.service.cards.get('card-1009')?.brandId).toBe('brand-2');
  });

  it('marks what is missing before anything is sent, and moves the focus there', async ({
    sandbox,
    page,
  }) => {
    await command(page, 'Spring banner');
    const isRequired = (label: string) => field(page, label).getAttribute('aria-required');
    await field(page, 'Title').waitFor();
    expect([await isRequired('Title'), await isRequired('Request type')]).toEqual(['true', 'true']);
    await choose(page, 'Request type', 'Social media');
    await field(page, 'Product').waitFor();
    await send(page);
    const wrong = modalOf(page).getByRole('alert');
    await expect.poll(() => wrong.count()).toBe(5);
    expect(await wrong.first().textContent()).toBe('Please complete this required field.');
    expect(await field(page, 'Product').getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => isFocused(field(page, 'Description'))).toBe(true);
    await expectAccessible(page);
    await choose(page, 'Product', 'Graphics');
    await expect.poll(() => wrong.count()).toBe(4);
    expect(sandbox.service.calls({ operation: 'createCard' })).toEqual([]);
  });

  it('shows the service’s messages at their fields, in a form that keeps everything', async ({
    sandbox,
    page,
    dashboard,
  }) => {
    await dashboard.getByRole('button', { name: /^400/ }).click();
    await fillForm(page, 'Spring banner');
    await field(page, 'Description').press('Control+End');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('No flowers');
    await page.keyboard.press('Control+b');
    await send(page);

    await modalOf(page).getByText('This title is taken. Choose another one.').waitFor();
    await modalOf(page).getByText('Name the unit.').waitFor();
    expect(await field(page, 'Sizes').inputValue()).toBe('Post: 1080 × 1080 px');
    expect(await field(page, 'Description').innerHTML()).toContain('No flowers</strong>');
    await field(page, 'Title').fill('Summer banner');
    await sendAndWait(page);
    const card = sandbox.service.cards.get('card-1009');
    expect(card?.title).toBe('Summer banner');
    expect(card?.description).toContain('<strong>No flowers</strong>');
  });

  it('keeps lists, quotes, and styles as typed, and sends them to the service', async ({
    sandbox,
    page,
  }) => {
    await fillForm(page, 'Spring banner');
    const { keyboard } = page;
    await showAllFields(page);
    const copy = field(page, 'Wording');
    await copy.click();
    await keyboard.type('Spring is here');
    await keyboard.press('Enter');
    const tool = (name: string) =>
      modalOf(page).getByRole('toolbar', { name: 'Format Wording' }).getByRole('button', { name });
    await tool('Bulleted list').click();
    await keyboard.type('Fresh');
    await keyboard.press('Enter');
    await tool('Italic').click();
    await keyboard.type('Light');
    await sendAndWait(page);
    expect(sandbox.service.cards.get('card-1009')?.textCopy).toBe(
      '<p>Spring is here</p><ul><li>Fresh</li><li><em>Light</em></li></ul>',
    );
  });
});

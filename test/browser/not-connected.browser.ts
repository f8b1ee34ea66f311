import { describe, expect, it } from 'vitest';
import { expectAccessible, openPage, PHONE } from './sandbox.ts';
import { closeModal, command, field, modalOf, send } from './slack-page.ts';

describe('a workspace that isn’t connected, in the browser', () => {
  it.each([
    ['laptop', {}],
    ['phone', { context: { viewport: PHONE } }],
  ] as const)(
    'takes a request all the same, which its author finishes later (%s)',
    async (_size, options) => {
      const { page } = await openPage({ ...options, connected: false });
      await command(page, 'Spring banner');
      await modalOf(page).getByText('You can already write your request').waitFor();
      await expectAccessible(page);
      await modalOf(page).getByRole('button', { name: /^Ask / }).click();
      await modalOf(page).getByText('We asked').waitFor();
      await modalOf(page).locator('footer').getByRole('button').first().click();
      await modalOf(page).getByLabel('Title').waitFor();
      expect(await modalOf(page).getByLabel('Title').inputValue()).toBe('Spring banner');
      await field(page, 'Description').fill('Fresh and light.');
      await send(page);
      await modalOf(page).getByText('Your request is saved').waitFor();
      await expectAccessible(page);
      await closeModal(page);
    },
  );
});

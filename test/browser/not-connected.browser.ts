import { describe, expect, it } from 'vitest';
import { expectAccessible, openPage } from './sandbox.ts';
import { closeModal, command, field, leave, modalOf, send } from './slack-page.ts';

describe('a workspace that isn’t connected, in the browser', () => {
  it('takes a request all the same, which its author finishes later', async () => {
    const { page } = await openPage({ connected: false });
    await command(page, 'Spring banner');
    await modalOf(page).getByText('You can already write your request').waitFor();
    await expectAccessible(page);
    await modalOf(page).getByRole('button', { name: /^Ask / }).click();
    await modalOf(page).getByText('We asked').waitFor();
    await leave(page);
    await modalOf(page).getByLabel('Title').waitFor();
    expect(await modalOf(page).getByLabel('Title').inputValue()).toBe('Spring banner');
    await field(page, 'Description').fill('Fresh and light.');
    await send(page);
    await modalOf(page).getByText('Your request is saved').waitFor();
    await closeModal(page);
  });
});

import { describe, expect } from 'vitest';
import { expectAccessible, expectToFit, it, PHONE, type Sandbox } from './sandbox.ts';
import {
  chooseFromMenu,
  closeModal,
  field,
  fillForm,
  openHome,
  sendAndClose,
} from './slack-page.ts';

async function homeAs(sandbox: Sandbox, name: string) {
  const page = await sandbox.openAs(name, 'general');
  const home = await openHome(page);
  await home.getByText('Design requests', { exact: true }).waitFor();
  return { page, home };
}

describe('the Home tab', () => {
  it('takes a person from New request to the request in their list', async ({ sandbox }) => {
    const { page, home } = await homeAs(sandbox, 'Ann');
    await home.getByText('You have no requests yet.').waitFor();
    const start = home.getByRole('button', { name: 'New request' });
    await start.focus();
    await page.keyboard.press('Enter');
    await field(page, 'Title').waitFor();
    await closeModal(page);
    await page.getByRole('navigation', { name: 'Conversations' }).getByText('general').click();
    await fillForm(page, 'Spring banner');
    await sendAndClose(page);
    await page.goBack();
    await home.getByRole('link', { name: 'Spring banner' }).waitFor();
    await home.getByText('To do', { exact: false }).first().waitFor();
    await expectAccessible(page);
    await chooseFromMenu(home, 'Request again');
    await field(page, 'Title').waitFor();
    expect(await field(page, 'Title').inputValue()).toBe('Spring banner');
    await closeModal(page);
    await page.setViewportSize(PHONE);
    await expectToFit(page);
  });
});

import { describe, expect, it } from 'vitest';
import { expectAccessible, openSandbox, PHONE } from './sandbox.ts';
import { composerOf, lastMessage, modalOf } from './slack-page.ts';

describe.each([
  ['a laptop', {}],
  ['a phone', { context: { viewport: PHONE, hasTouch: true } }],
])('a workflow, on %s', (_name, options) => {
  it('creates a card from the service’s types, or says why not', async () => {
    const sandbox = await openSandbox(options);
    const page = await sandbox.open();
    await composerOf(page).waitFor();
    const drawer = page.getByRole('button', { name: 'Show conversations' });
    if (await drawer.isVisible()) await drawer.click();
    await page.getByRole('button', { name: 'Create a design request' }).click();
    const dialog = modalOf(page);
    const choose = async (label: string, option: string) => {
      await dialog
        .getByLabel(label)
        .getByText(option, { exact: true })
        .waitFor({ state: 'attached' });
      await dialog.getByLabel(label).selectOption({ label: option });
    };
    await dialog.getByRole('button', { name: 'Run workflow' }).click();
    await dialog.getByText(/failed: “Request type” is empty/).waitFor();
    await choose('Request type', 'Social media');
    await choose('Product', 'Video');
    await choose('Request type', 'Print');
    const product = dialog.getByLabel('Product');
    await product.getByText('Video').waitFor({ state: 'detached' });
    await product.getByText('Choose an option').waitFor({ state: 'attached' });
    await dialog.getByRole('button', { name: 'Run workflow' }).click();
    await dialog.getByText(/failed: “Product” is empty/).waitFor();
    await choose('Request type', 'Social media');
    await choose('Product', 'Graphics');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Run workflow' }).click();
    const link = dialog.getByRole('link', { name: /card-1009$/ });
    await link.waitFor();
    expect(sandbox.service.cards.get('card-1009')).toMatchObject({
      title: 'Banner of the week',
      requestTypeId: 'type-social',
    });
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    if (await drawer.isVisible()) await drawer.click();
    await page.getByRole('button', { name: /^Design Request/ }).click();
    await lastMessage(page).getByText('Banner of the week').first().waitFor();
  });

  it('shows why the menus are empty', async () => {
    const sandbox = await openSandbox({ ...options, connected: false });
    const page = await sandbox.open();
    await composerOf(page).waitFor();
    const drawer = page.getByRole('button', { name: 'Show conversations' });
    if (await drawer.isVisible()) await drawer.click();
    await page.getByRole('button', { name: 'Create a design request' }).click();
    await modalOf(page)
      .getByText(/isn’t connected/)
      .first()
      .waitFor();
    await expectAccessible(page);
  });
});

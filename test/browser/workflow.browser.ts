import { describe, expect, it } from 'vitest';
import { expectAccessible, openPage, PHONE } from './sandbox.ts';
import { chooseInStep, lastMessage, modalOf, openSidebar, openStep } from './slack-page.ts';

const onPhone = { context: { viewport: PHONE, hasTouch: true } };

describe('a workflow, on a phone', () => {
  it('creates a card from the service’s types, or says why not', async () => {
    const { sandbox, page } = await openPage(onPhone);
    await openStep(page);
    const dialog = modalOf(page);
    await dialog.getByRole('button', { name: 'Run workflow' }).click();
    await dialog.getByText(/failed: “Request type” is empty/).waitFor();
    await chooseInStep(page, 'Request type', 'Social media');
    await chooseInStep(page, 'Product', 'Video');
    await chooseInStep(page, 'Request type', 'Print');
    const product = dialog.getByLabel('Product');
    await product.getByText('Video').waitFor({ state: 'detached' });
    await product.getByText('Choose an option').waitFor({ state: 'attached' });
    await dialog.getByRole('button', { name: 'Run workflow' }).click();
    await dialog.getByText(/failed: “Product” is empty/).waitFor();
    await chooseInStep(page, 'Request type', 'Social media');
    await chooseInStep(page, 'Product', 'Graphics');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Run workflow' }).click();
    const link = dialog.getByRole('link', { name: /card-1009$/ });
    await link.waitFor();
    expect(sandbox.service.cards.get('card-1009')).toMatchObject({
      title: 'Banner of the week',
      requestTypeId: 'type-social',
    });
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await openSidebar(page);
    await page.getByRole('button', { name: /^Design Request/ }).click();
    await lastMessage(page).getByText('Banner of the week').first().waitFor();
  });
});

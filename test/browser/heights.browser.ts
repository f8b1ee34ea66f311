import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { openSandbox } from './sandbox.ts';
import {
  closeModal,
  command,
  field,
  fillForm,
  lastMessage,
  modalOf,
  previewsOf,
  say,
  send,
} from './slack-page.ts';

/** The most that a small preview and a confirmation may take, in pixels. */
const SMALL_PREVIEW_MAX = 160;
const CONFIRMATION_MAX = 100;

const heightOf = (shown: Locator) =>
  shown.evaluate((box) => Math.round(box.getBoundingClientRect().height));

it('previews, confirmations, and status replies are small', async () => {
  const sandbox = await openSandbox();
  const page = await sandbox.open();
  const url = sandbox.cardUrl('card-1001');
  const blocks = () => lastMessage(page).locator('.blocks').first();
  const picture = () => lastMessage(page).getByRole('img', { name: /the newest image of/ });
  const preview = async (what: string) => {
    await say(page, `${what}: ${url}`);
    await lastMessage(page).getByText(`${what}:`).waitFor();
    await picture().evaluate((img) => (img as HTMLImageElement).decode());
    return heightOf(previewsOf(lastMessage(page)));
  };
  const measured: Record<string, number> = { 'a preview, small': await preview('Small') };

  await fillForm(page, 'Spring banner');
  await send(page);
  await modalOf(page).getByText('Sent').waitFor();
  await closeModal(page);
  await lastMessage(page).getByText('DR-').waitFor();
  measured['a confirmation'] = await heightOf(blocks());

  await command(page, 'status card-1001');
  await lastMessage(page).getByText('Share in this channel').waitFor();
  await picture().evaluate((img) => (img as HTMLImageElement).decode());
  measured['a status reply, with Share'] = await heightOf(blocks());

  const admin = await sandbox.openAs('Ada Admin');
  await command(admin, 'settings');
  await field(admin, 'Card links').click();
  await modalOf(admin)
    .getByRole('option', { name: /^Large preview/ })
    .click();
  await send(admin, 'Save');
  await modalOf(admin).getByText('Settings saved').waitFor();
  measured['a preview, large'] = await preview('Large');

  for (const [what, height] of Object.entries(measured)) {
    process.stdout.write(`${what}: ${height} px\n`);
  }
  expect(measured['a preview, small']).toBeLessThanOrEqual(SMALL_PREVIEW_MAX);
  expect(measured['a confirmation']).toBeLessThanOrEqual(CONFIRMATION_MAX);
});

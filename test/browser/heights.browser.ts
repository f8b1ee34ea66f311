import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { it } from './sandbox.ts';
import {
  changeSettings,
  choose,
  closeModal,
  command,
  field,
  fillForm,
  lastMessage,
  modalOf,
  previewsOf,
  say,
  sendAndWait,
} from './slack-page.ts';

/** The most that a small preview, the modal after Send, and a confirmation may take, in pixels. */
const SMALL_PREVIEW_MAX = 160;
const SENT_MODAL_MAX = 200;
const CONFIRMATION_MAX = 100;
/** The same with its card as a Work Object in place of its buttons. */
const WITH_WORK_OBJECT_MAX = 160;

const heightOf = (shown: Locator) =>
  shown.evaluate((box) => Math.round(box.getBoundingClientRect().height));

it('previews and confirmations are small', async ({ sandbox, page }) => {
  await say(page, sandbox.cardUrl('card-1001'));
  const picture = lastMessage(page).getByRole('img', { name: /the newest image of/ });
  await picture.evaluate((img) => (img as HTMLImageElement).decode());
  const measured: Record<string, number> = {};
  measured['a preview, small'] = await heightOf(previewsOf(lastMessage(page)));

  const request = async () => {
    await field(page, 'Needed by').fill('2099-12-31');
    await sendAndWait(page);
    measured['the modal after Send'] = await heightOf(modalOf(page));
    await closeModal(page);
    await lastMessage(page).getByText('needed by 31 Dec 2099 · DR-').waitFor();
    return heightOf(lastMessage(page).locator('.blocks').first());
  };
  await fillForm(page, 'Spring banner');
  measured['a confirmation'] = await request();

  const admin = await sandbox.openAs('Ada Admin');
  await changeSettings(admin, () => choose(admin, 'Cards as Work Objects', 'On'));
  await command(page, 'Autumn banner');
  await field(page, 'Description').fill('Fresh and light.');
  const aboveWorkObject = await request();
  const workObject = lastMessage(page).getByRole('region', { name: 'Work Object: Autumn banner' });
  measured['a confirmation as a Work Object'] = aboveWorkObject + (await heightOf(workObject));

  for (const [what, height] of Object.entries(measured)) {
    process.stdout.write(`${what}: ${height} px\n`);
  }
  expect(measured['a preview, small']).toBeLessThanOrEqual(SMALL_PREVIEW_MAX);
  expect(measured['the modal after Send']).toBeLessThanOrEqual(SENT_MODAL_MAX);
  expect(measured['a confirmation']).toBeLessThanOrEqual(CONFIRMATION_MAX);
  expect(measured['a confirmation as a Work Object']).toBeLessThanOrEqual(WITH_WORK_OBJECT_MAX);
});

import { describe, expect } from 'vitest';
import { landscapePng } from '../stand-ins/design-service/png.ts';
import { expectAccessible, it, LAPTOP, PHONE } from './sandbox.ts';
import { choose, field, fillForm, lastMessage, modalOf, send } from './slack-page.ts';

const LONG = 'a-very-long-name-of-a-file-that-somebody-made-on-a-phone-in-portrait-mode.png';

const png = (name: string) => ({
  name,
  mimeType: 'image/png',
  buffer: Buffer.from(landscapePng(name, 320, 180)),
});

describe('files in the browser', () => {
  it('are uploaded in the form, kept when it is redrawn, and shown on the card', async ({
    sandbox,
    page,
  }) => {
    await fillForm(page, 'Spring banner');
    const files = field(page, 'Reference files');
    await files.setInputFiles([png('moodboard.png')]);
    await files.setInputFiles([png(LONG)]);
    const uploaded = modalOf(page).getByRole('list', { name: 'Reference files: uploaded' });
    await expect.poll(() => uploaded.getByRole('listitem').count()).toBe(2);
    const remove = page.getByRole('button', { name: `Remove ${LONG}` });
    await page.setViewportSize(PHONE);
    const right = await remove.evaluate((button) => button.getBoundingClientRect().right);
    expect(right).toBeLessThanOrEqual(PHONE.width);
    await expectAccessible(page);
    await page.setViewportSize(LAPTOP);
    await remove.click();
    await expect.poll(() => uploaded.getByRole('listitem').count()).toBe(1);

    await choose(page, 'Request type', 'Print');
    const kept = modalOf(page).getByRole('checkbox', { name: 'moodboard.png' });
    await kept.waitFor();
    expect(await kept.isChecked()).toBe(true);
    await choose(page, 'Request type', 'Social media');
    await field(page, 'Reference files').setInputFiles([png('second.png')]);
    await expect.poll(() => uploaded.getByRole('listitem').count()).toBe(1);
    await send(page);
    await lastMessage(page).getByText('Spring banner').first().waitFor();

    const card = sandbox.service.cards.all().at(-1);
    const dashboard = await sandbox.open(`/dashboard?card=${card?.id}`);
    const list = dashboard.getByRole('list', { name: 'Files' });
    await expect.poll(() => list.getByText('reference · downloaded').count()).toBe(2);
    const names = await list.getByRole('link').allTextContents();
    expect(names.toSorted()).toEqual(['moodboard.png', 'second.png']);
    const picture = list.locator('img').first();
    await expect
      .poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth))
      .toBe(320);
  });
});

import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { it, openPage, PHONE } from './sandbox.ts';
import {
  closeModal,
  command,
  field,
  fillForm,
  isFocused,
  modalOf,
  sendAndClose,
  sendAndWait,
} from './slack-page.ts';

type Effort = { clicks: number; keys: string[] };

declare global {
  var effort: Effort | undefined;
}

/** Counts clicks, and keys other than those that write text. */
const countEffort = (page: Page) =>
  page.evaluate(() => {
    const effort: Effort = { clicks: 0, keys: [] };
    globalThis.effort = effort;
    document.addEventListener(
      'click',
      ({ isTrusted }) => (effort.clicks += Number(isTrusted)),
      true,
    );
    document.addEventListener(
      'keydown',
      ({ key }) => key.length > 1 && effort.keys.push(key),
      true,
    );
  });

/** The height of everything in the form, in pixels, and that of the window. */
const heightOf = (page: Page) =>
  modalOf(page).evaluate((modal) => {
    const parts = [modal, ...modal.querySelectorAll('*')].map(({ scrollHeight }) => scrollHeight);
    return { form: Math.max(...parts), window: innerHeight };
  });

async function openedForm(page: Page, title: string) {
  await command(page, title);
  await field(page, 'Description').waitFor();
}

describe('a request like the ones before', () => {
  it('takes the command with a title, a description, and Send', async ({ sandbox, page }) => {
    await fillForm(page, 'Spring banner');
    await sendAndClose(page);

    await countEffort(page);
    await openedForm(page, 'Summer banner');
    // The cursor is in the description.
    await expect.poll(() => isFocused(field(page, 'Description'))).toBe(true);
    await page.keyboard.type('The same, for summer.');
    await sendAndWait(page);
    const effort = await page.evaluate(() => globalThis.effort);
    expect(effort).toEqual({ clicks: 1, keys: ['Enter'] });
    expect(sandbox.service.cards.all().at(-1)).toMatchObject({
      title: 'Summer banner',
      software: 'Figma',
    });
  });

  it.each([
    ['a laptop', { width: 1280, height: 800 }],
    ['a phone', PHONE],
  ])('is shorter than the first one on %s', async (_name, viewport) => {
    const { page } = await openPage({ context: { viewport } });
    await openedForm(page, '');
    const first = await heightOf(page);
    await closeModal(page);
    await fillForm(page, 'Spring banner');
    const typed = await heightOf(page);
    await sendAndClose(page);
    await openedForm(page, 'Summer banner');
    const next = await heightOf(page);
    process.stdout.write(
      `${_name}: first ${first.form} px, with its type ${typed.form} px, next ${next.form} px, window ${next.window} px\n`,
    );
    expect(next.form).toBeLessThan(typed.form);
  });
});

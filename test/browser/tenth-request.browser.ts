import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { it } from './sandbox.ts';
import {
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
    await modalOf(page).getByText('posts in #general').waitFor();
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
});

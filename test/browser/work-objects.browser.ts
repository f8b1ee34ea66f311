import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { expectAccessible, expectToFit, it, openSandbox, PHONE, type Sandbox } from './sandbox.ts';
import {
  changeSettings,
  composerOf,
  field,
  isFocused,
  lastMessage,
  modalOf,
  openDetails,
  paneOf,
  say,
} from './slack-page.ts';

/** An admin turns Work Objects on, and Ann posts a link to a card with images. */
async function posted(sandbox: Sandbox, choice: RegExp): Promise<Page> {
  const ada = await sandbox.openAs('Ada Admin', 'general');
  await changeSettings(ada, async () => {
    await field(ada, 'Cards as Work Objects').waitFor();
    await field(ada, 'Cards as Work Objects').click();
    await modalOf(ada).getByRole('option', { name: choice }).click();
  });
  const page = await sandbox.open();
  await say(page, sandbox.cardUrl('card-1001'));
  await lastMessage(page)
    .getByRole('region', { name: /^Work Object/ })
    .waitFor();
  return page;
}

describe('a Work Object in the browser', () => {
  it('opens its details by keyboard, with its files as a gallery, and closes them', async ({
    sandbox,
  }) => {
    const page = await posted(sandbox, /^On$/);
    await lastMessage(page)
      .getByRole('button', { name: 'Spring sale banner', exact: true })
      .press('Enter');
    const pane = paneOf(page);
    await pane.getByRole('heading', { name: 'Spring sale banner' }).waitFor();
    const gallery = pane.getByRole('list', { name: 'Files' });
    expect(await gallery.getByRole('img').count()).toBeGreaterThan(0);
    expect(await pane.textContent()).toMatch(/Status\s*In review/);
    await expectAccessible(page);

    sandbox.service.cards.update('card-1001', { title: 'Summer sale banner' });
    // The app reads a card again once in ten seconds, and has read it for the details.
    await sandbox.setClockOffset(11_000);
    await pane.getByRole('button', { name: 'Refresh: ' }).click();
    await pane.getByRole('heading', { name: 'Summer sale banner' }).waitFor();
    await pane.press('Escape');
    await pane.waitFor({ state: 'hidden' });
    await expect.poll(() => isFocused(composerOf(page))).toBe(true);
    await page.keyboard.type('Thanks');
    expect(await composerOf(page).inputValue()).toBe('Thanks');
  });

  it('fills a phone with its details, and shows the page of images in a frame', async () => {
    const sandbox = await openSandbox({ context: { viewport: PHONE, hasTouch: true } });
    const page = await posted(sandbox, /page of images/);
    await openDetails(page);
    const pane = paneOf(page);
    const frame = pane.frameLocator('iframe');
    await frame.getByRole('img').first().waitFor({ state: 'attached' });
    await expectToFit(page);
    await expectAccessible(page);
    await pane.getByRole('button', { name: 'Close details' }).click();
    await pane.waitFor({ state: 'hidden' });
  });

  it('says why there is no card, and what to do', async ({ sandbox }) => {
    const page = await posted(sandbox, /^On$/);
    sandbox.service.faults.add({ operation: 'getCard', kind: 'status', status: 404 });
    sandbox.slack.state.panes.clear();
    await openDetails(page);
    await paneOf(page).getByRole('alert').getByText('Card not found').waitFor();
    await paneOf(page).getByRole('button', { name: 'Try again' }).waitFor();
    await expectAccessible(page);
  });
});

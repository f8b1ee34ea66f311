import { describe, expect } from 'vitest';
import { expectAccessible, it, openSandbox } from './sandbox.ts';
import {
  changeSettings,
  chooseFromMenu,
  command,
  composerOf,
  connectKey,
  enter,
  lastMessage,
  modalOf,
  previewsOf,
  replyTo,
  say,
} from './slack-page.ts';

describe('people in the browser', () => {
  it('a guest sees only their channels, and that they can’t use the app', async ({ sandbox }) => {
    const page = await sandbox.openAs('Gil', 'general');
    const channels = page.getByRole('region', { name: 'Channels' }).getByRole('button');
    await expect.poll(() => channels.allTextContents()).toEqual(['general']);
    await command(page, 'status card-1001');
    await page.getByText('Only full members of this workspace can use this app').waitFor();
    await page.getByText('Only visible to you').waitFor();
  });

  it('a channel shared with another company shows no card, and its people can’t press buttons', async ({
    sandbox,
  }) => {
    const page = await sandbox.openAs('Ann', 'acme-globex');
    await page.getByText('Shared with Globex').waitFor();
    await say(page, `Inside: ${sandbox.cardUrl('card-1001')}`);
    await page.getByRole('button', { name: /^general/ }).click();
    await say(page, `Outside: ${sandbox.cardUrl('card-1001')}`);
    await previewsOf(lastMessage(page)).getByText('Spring sale banner').waitFor();
    await page.getByRole('button', { name: /^acme-globex/ }).click();
    await lastMessage(page).getByText('Inside').waitFor();
    expect(await previewsOf(lastMessage(page)).count()).toBe(0);

    await command(page, 'status card-1001');
    await lastMessage(page).getByText('Spring sale banner').waitFor();
    const admin = await sandbox.openAs('Ada Admin', 'general');
    await changeSettings(admin, async () => {
      await modalOf(admin)
        .getByLabel(/Show cards in channels shared/)
        .check();
      await expectAccessible(admin);
    });
    await say(page, `Allowed: ${sandbox.cardUrl('card-1002')}`);
    await previewsOf(lastMessage(page)).getByText('Investor deck').waitFor();

    const outside = await sandbox.openAs('Hank', 'acme-globex');
    const shown = previewsOf(lastMessage(outside));
    await shown.getByText('Investor deck').waitFor();
    await chooseFromMenu(shown, 'Refresh');
    await outside.getByText('This app belongs to the other company in this channel').waitFor();
  });

  it('two workspaces of one app have their own keys and cards', async () => {
    const sandbox = await openSandbox({ many: true });
    const page = await sandbox.openAs('Ada Admin', 'general');
    await connectKey(page, sandbox.service.apiKey);
    await page.getByRole('button', { name: 'Workspace Globex' }).click();
    await page.getByRole('heading', { name: 'Globex', exact: true }).waitFor();
    await page.getByText('You are Grace').waitFor();
    await page.getByText('The app isn’t installed in this workspace.').waitFor();
    await command(page, 'connect');
    await page.getByText('/design-request is not a valid command here.').waitFor();

    await sandbox.openSecondWorkspace();
    const dashboard = await sandbox.open('/dashboard');
    const key = await dashboard.locator('[data-owner=Globex] code').first().textContent();
    await connectKey(page, key ?? '');

    await say(page, sandbox.cardUrl('card-1008'));
    await previewsOf(lastMessage(page)).getByText('Another company’s secret rebrand').waitFor();
    await page.getByRole('button', { name: 'Workspace Acme' }).click();
    await page.getByText('You are Ada Admin').waitFor();
    await command(page, 'status card-1008');
    await page.getByText('This workspace’s API key can’t read that card').waitFor();
  });

  it('the app answers in a private channel once it is invited', async ({ sandbox }) => {
    const page = await sandbox.openAs('Ann', 'launch-plans');
    await page.getByText('The app isn’t in this channel').waitFor();
    await enter(page, '/invite');
    await page.getByText('The app is in this channel').waitFor();
    await say(page, 'Who replies?');
    const thread = await replyTo(lastMessage(page));
    await thread.getByRole('textbox', { name: 'Reply…' }).fill('I do');
    await page.keyboard.press('Enter');
    await thread.getByText('I do').waitFor();
    await page.getByRole('main').getByRole('button', { name: '1 reply' }).waitFor();
    await expectAccessible(page);
  });

  it('are switched in a list, which Escape or a click elsewhere closes', async ({ page }) => {
    const list = page.getByRole('region', { name: 'Switch person' });
    const button = page.getByRole('button', { name: 'Switch person' });
    await button.click();
    await list.waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    await button.click();
    await list.waitFor();
    await composerOf(page).click();
    await list.waitFor({ state: 'hidden' });
    await button.click();
    await list.getByRole('button', { name: /^Hank/ }).click();
    await page.getByText('You are Hank').waitFor();
    expect(await list.isVisible()).toBe(false);
    await page.goBack();
    await page.getByText('You are Ann').waitFor();
  });
});

import { describe, expect, it } from 'vitest';
import { acceptView, openModal, pushModal } from '../stand-ins/slack/views/stacks.ts';
import { expectAccessible, openPage, type Sandbox } from './sandbox.ts';
import { field, modalOf } from './slack-page.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const input = (label: string) => ({
  type: 'input',
  block_id: label,
  label: plain(label),
  element: { type: 'plain_text_input', action_id: label },
});
const modal = (title: string, blocks: object[]) => ({
  type: 'modal',
  title: plain(title),
  submit: plain('Send'),
  close: plain('Close'),
  blocks,
});

/** Shows Ann a modal of the app, checked by Slack like any other. */
function show({ slack, acme, ann, general }: Sandbox, view: object, isPushed = false) {
  const viewer = { workspaceId: acme.id, userId: ann.id, channelId: general.id };
  const accepted = acceptView(slack.state, acme.id, view, 'modal');
  return (isPushed ? pushModal : openModal)(slack.state, viewer, accepted);
}

describe('a pushed modal', () => {
  it('leads back to the one below, which keeps what was typed', async () => {
    const { sandbox, page } = await openPage({ appRuns: false });
    show(sandbox, modal('Below', [input('Name')]));
    await field(page, 'Name').fill('Ann');
    await field(page, 'Name').blur();
    show(sandbox, modal('Above', [{ type: 'section', text: plain('On top') }]), true);
    await modalOf(page).getByRole('heading', { name: 'Above' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await modalOf(page).getByRole('heading', { name: 'Below' }).waitFor();
    expect(await field(page, 'Name').inputValue()).toBe('Ann');

    show(sandbox, modal('Above', [{ type: 'section', text: plain('On top') }]), true);
    await modalOf(page).getByRole('button', { name: 'Back' }).click();
    await modalOf(page).getByRole('heading', { name: 'Below' }).waitFor();
    show(sandbox, modal('Above', [{ type: 'section', text: plain('On top') }]), true);
    await modalOf(page).getByRole('heading', { name: 'Above' }).waitFor();
    await modalOf(page).locator('header').getByRole('button', { name: 'Close' }).click();
    await modalOf(page).waitFor({ state: 'hidden' });
  });
});

import { describe, expect, it } from 'vitest';
import type { Channel } from '../stand-ins/slack/state/model.ts';
import { acceptView, openModal, pushModal } from '../stand-ins/slack/views/stacks.ts';
import { expectAccessible, openSandbox, type Sandbox } from './sandbox.ts';
import { choose, field, modalOf } from './slack-page.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const option = (value: string) => ({
  value,
  text: plain(value),
  description: plain(`About ${value}`),
});
const input = (label: string, element: object) => ({
  type: 'input',
  block_id: label,
  label: plain(label),
  optional: true,
  element: { action_id: label, ...element },
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

describe('elements that the app doesn’t use yet', () => {
  it('are drawn, filled in, and stored as in Slack', async () => {
    const sandbox = await openSandbox({ appRuns: false });
    const page = await sandbox.open();
    const kinds = [option('One'), option('Two')];
    const open = show(
      sandbox,
      modal('Everything', [
        { type: 'header', text: plain('A header') },
        { type: 'divider' },
        input('Mail', { type: 'email_text_input' }),
        input('Address', { type: 'url_text_input' }),
        input('Number', { type: 'number_input', is_decimal_allowed: true }),
        input('Day', { type: 'datepicker' }),
        input('Hour', { type: 'timepicker' }),
        input('Radio', { type: 'radio_buttons', options: kinds }),
        input('Boxes', { type: 'checkboxes', options: kinds }),
        input('Person', { type: 'users_select' }),
        input('People', { type: 'multi_users_select' }),
        input('Channel', { type: 'channels_select' }),
        input('Places', {
          type: 'multi_conversations_select',
          filter: { include: ['public', 'private'], exclude_external_shared_channels: true },
        }),
        input('Groups', {
          type: 'static_select',
          option_groups: [{ label: plain('First'), options: kinds }],
        }),
      ]),
    );
    await field(page, 'Mail').fill('ann@acme.example');
    await field(page, 'Address').fill('https://acme.example');
    await field(page, 'Number').fill('2.5');
    await field(page, 'Day').fill('2027-01-15');
    await field(page, 'Hour').fill('09:30');
    await modalOf(page).getByRole('radio', { name: /^Two/ }).check();
    await modalOf(page).getByRole('checkbox', { name: /^One/ }).check();
    await choose(page, 'Person', 'Ada Admin');
    await choose(page, 'People', 'Ann');
    await choose(page, 'People', 'Gil');
    await field(page, 'People').press('Escape');
    await choose(page, 'Channel', '#design');
    await field(page, 'Places').click();
    expect(await modalOf(page).getByRole('option').allTextContents()).toEqual([
      '#general',
      '#design',
      '#launch-plans',
    ]);
    await modalOf(page).getByRole('option', { name: '#launch-plans' }).click();
    await field(page, 'Places').press('Escape');
    await field(page, 'Groups').click();
    await expectAccessible(page);
    await modalOf(page).getByRole('option', { name: /^Two/ }).click();

    const { users, channels } = sandbox.slack.state;
    const user = (name: string) => [...users.values()].find((one) => one.realName === name)?.id;
    const channel = (name: string): Channel | undefined =>
      [...channels.values()].find((one) => one.name === name);
    await expect
      .poll(() => open.values)
      .toMatchObject({
        Mail: { Mail: { value: 'ann@acme.example' } },
        Address: { Address: { value: 'https://acme.example' } },
        Number: { Number: { value: '2.5' } },
        Day: { Day: { selected_date: '2027-01-15' } },
        Hour: { Hour: { selected_time: '09:30' } },
        Radio: { Radio: { selected_option: { value: 'Two' } } },
        Boxes: { Boxes: { selected_options: [{ value: 'One' }] } },
        Person: { Person: { selected_user: sandbox.ada.id } },
        People: { People: { selected_users: [user('Ann'), user('Gil')] } },
        Channel: { Channel: { selected_channel: channel('design')?.id } },
        Places: { Places: { selected_conversations: [channel('launch-plans')?.id] } },
        Groups: { Groups: { selected_option: { value: 'Two' } } },
      });
    await field(page, 'Day').fill('');
    await modalOf(page).getByRole('button', { name: 'Clear Person' }).click();
    await modalOf(page).getByRole('button', { name: 'Remove Ann' }).click();
    await expect
      .poll(() => open.values)
      .toMatchObject({
        Day: { Day: { selected_date: null } },
        Person: { Person: { selected_user: null } },
        People: { People: { selected_users: [user('Gil')] } },
      });
  });

  it('go back from a pushed modal to the one below, which keeps what was typed', async () => {
    const sandbox = await openSandbox({ appRuns: false });
    const page = await sandbox.open();
    show(sandbox, modal('Below', [input('Name', { type: 'plain_text_input' })]));
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

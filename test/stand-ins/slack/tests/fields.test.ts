import { expect, test } from 'vitest';
import type { FieldValue } from '../people/field-values.ts';
import { input, modal, option, section, setUp } from './setting.ts';

const options = [option('Banner', '1'), option('Logo', '2')];
const richText = { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [] }] };

async function filled(element: Record<string, unknown>, value: FieldValue) {
  const setting = await setUp({ withScopes: ['files:read'] });
  const view = modal({ blocks: [input('field', 'Field', element)] });
  const opened = await setting.call('views.open', { trigger_id: await setting.trigger(), view });
  expect(opened).toMatchObject({ ok: true });
  await setting.person.fill({ Field: value });
  return setting.person.field('Field').value;
}

test.each<[Record<string, unknown>, FieldValue, unknown]>([
  [{ type: 'plain_text_input' }, 'Hi', { value: 'Hi' }],
  [{ type: 'plain_text_input', initial_value: 'Hi' }, null, { value: null }],
  [{ type: 'number_input', is_decimal_allowed: false }, '7', { value: '7' }],
  [{ type: 'rich_text_input' }, richText, { rich_text_value: richText }],
  [
    { type: 'rich_text_input' },
    'Hi',
    { rich_text_value: { elements: [{ elements: [{ type: 'text', text: 'Hi' }] }] } },
  ],
  [{ type: 'static_select', options }, 'Logo', { selected_option: { value: '2' } }],
  [{ type: 'static_select', options, initial_option: options[0] }, null, { selected_option: null }],
  [{ type: 'radio_buttons', options }, 'Logo', { selected_option: { value: '2' } }],
  [
    { type: 'multi_static_select', options },
    ['Logo', 'Banner'],
    { selected_options: [{ value: '2' }, { value: '1' }] },
  ],
  [{ type: 'checkboxes', options }, true, { selected_options: [{ value: '1' }] }],
  [{ type: 'checkboxes', options, initial_options: options }, false, { selected_options: [] }],
  [{ type: 'users_select' }, 'U1', { selected_user: 'U1' }],
  [{ type: 'multi_users_select' }, ['U1', 'U2'], { selected_users: ['U1', 'U2'] }],
  [{ type: 'channels_select' }, 'C1', { selected_channel: 'C1' }],
  [{ type: 'datepicker' }, '2026-12-01', { selected_date: '2026-12-01' }],
  [
    { type: 'file_input' },
    [{ name: 'a.png', mimetype: 'image/png', size: 9 }],
    { files: [{ name: 'a.png', filetype: 'png', size: 9 }] },
  ],
])('%j accepts %j', async (element, value, expected) => {
  expect(await filled(element, value)).toMatchObject({ type: element.type, ...Object(expected) });
});

test('a field accepts only what a person could enter', async () => {
  await expect(filled({ type: 'plain_text_input' }, true)).rejects.toThrow('cannot be put into');
  await expect(filled({ type: 'users_select' }, true)).rejects.toThrow('cannot be put into');
  await expect(filled({ type: 'file_input' }, 'a.png')).rejects.toThrow('cannot be put into');
});

test('two fields with one name can’t be told apart by it', async () => {
  const { call, trigger, person } = await setUp();
  const element = { type: 'plain_text_input' };
  const view = modal({ blocks: [input('a', 'Note', element), input('b', 'Note', element)] });
  await call('views.open', { trigger_id: await trigger(), view });
  await expect(person.fill({ Note: 'x' })).rejects.toThrow('2 fields "Note"');
});

test('a choice in an overflow menu is sent with its option', async () => {
  const { app, call, marketing, workspace, person } = await setUp();
  const accessory = { type: 'overflow', action_id: 'more', options };
  const blocks = [{ ...section('Card'), accessory }];
  await call('chat.postMessage', { channel: marketing.id, text: 'x', blocks });
  const [message] = workspace.messages(marketing);
  if (!message) throw new Error('No message');
  await person.click({ message, actionId: 'more', option: 'Logo' });
  expect(app.heard.at(-1)?.payload).toMatchObject({
    actions: [{ type: 'overflow', action_id: 'more', selected_option: { value: '2' } }],
  });
  const wrong = person.click({ message, actionId: 'more', option: 'Poster' });
  await expect(wrong).rejects.toThrow('no option "Poster"');
});

test('a button with a URL opens it, and the app is notified too', async () => {
  const { app, call, marketing, workspace, person } = await setUp();
  const url = 'https://app.example.com/card/7';
  const text = { type: 'plain_text', text: 'Open' };
  const blocks = [
    { type: 'actions', elements: [{ type: 'button', action_id: 'open', text, url }] },
  ];
  await call('chat.postMessage', { channel: marketing.id, text: 'x', blocks });
  const [message] = workspace.messages(marketing);
  if (!message) throw new Error('No message');
  expect(await person.click({ message, text: 'Open' })).toMatchObject({ opened: url });
  expect(app.heard.at(-1)).toMatchObject({ kind: 'block_actions' });
});

test('waiting in vain reports what was expected', async () => {
  const { slack } = await setUp();
  await expect(slack.until(() => false, 'something impossible', 20)).rejects.toThrow(
    'something impossible',
  );
});

import { expect, test } from 'vitest';
import type { Reply } from './scripted-app.ts';
import { input, modal, type Setting, section, setUp } from './setting.ts';

async function withForm(setting: Setting, changes: Record<string, unknown> = {}) {
  const trigger_id = await setting.trigger();
  await setting.call('views.open', { trigger_id, view: modal(changes) });
  await setting.person.fill({ Title: 'Spring banner' });
}

async function submitAgainst(reply: Reply) {
  const setting = await setUp();
  await withForm(setting);
  setting.app.answer(({ kind }) => (kind === 'view_submission' ? reply : undefined));
  return { ...setting, result: await setting.person.submit() };
}

test('Slack itself marks required fields and sends nothing', async () => {
  const { app, person, call, trigger } = await setUp();
  await call('views.open', { trigger_id: await trigger(), view: modal() });
  const result = await person.submit();
  expect(result).toMatchObject({ outcome: 'incomplete', told: undefined });
  expect(Object.keys(result.errors)).toEqual(['Title']);
  expect(app.heard.filter(({ kind }) => kind === 'view_submission')).toEqual([]);
});

test('Slack itself refuses text over max_length', async () => {
  const setting = await setUp();
  await withForm(setting);
  await setting.person.fill({ Title: 'x'.repeat(21) });
  expect(await setting.person.submit()).toMatchObject({ outcome: 'incomplete' });
});

test.each([
  ['errors for a missing block', { response_action: 'errors', errors: { no: 'No' } }],
  ['empty errors', { response_action: 'errors', errors: {} }],
  ['an error without text', { response_action: 'errors', errors: { title: '' } }],
  ['an unknown response_action', { response_action: 'explode' }],
  ['an update without a view', { response_action: 'update' }],
  ['an update with a bad view', { response_action: 'update', view: { type: 'modal' } }],
  ['an answer that is a list', []],
])('the person sees an error after %s', async (_what, json) => {
  const { result, person } = await submitAgainst({ json });
  expect(result.outcome).toBe('trouble');
  expect(person.currentView()).toMatchObject({
    notice: 'We had some trouble connecting. Try again?',
    values: { title: { value: { value: 'Spring banner' } } },
  });
});

test('errors are not shown at blocks that aren’t inputs', async () => {
  const setting = await setUp();
  const title = input('title', 'Title', { type: 'plain_text_input' });
  await withForm(setting, { blocks: [title, { ...section('Note'), block_id: 'note' }] });
  const json = { response_action: 'errors', errors: { note: 'Wrong' } };
  setting.app.answer(() => ({ json }));
  expect(await setting.person.submit()).toMatchObject({ outcome: 'trouble' });
});

test('a failed submission is reported and not retried', async () => {
  const { result, app, slack } = await submitAgainst({ status: 500 });
  await slack.idle();
  expect(result).toMatchObject({ outcome: 'trouble', reason: 'http_error' });
  expect(app.heard.filter(({ kind }) => kind === 'view_submission')).toHaveLength(1);
});

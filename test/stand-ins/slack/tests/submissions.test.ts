import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Reply } from './scripted-app.ts';
import { input, modal, type Setting, section, setUp } from './setting.ts';

const SENT = modal({ title: { type: 'plain_text', text: 'Sent' }, blocks: [section('Done')] });

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

test('a submission has the view as Slack sends it', async () => {
  const { app, workspace } = await submitAgainst({});
  expect(app.heard.at(-1)).toMatchObject({
    kind: 'view_submission',
    payload: {
      response_urls: [],
      view: {
        callback_id: 'form',
        app_installed_team_id: workspace.id,
        state: {
          values: { title: { value: { type: 'plain_text_input', value: 'Spring banner' } } },
        },
      },
    },
  });
});

test('an empty field is represented in a different way each time', async () => {
  const setting = await setUp();
  await withForm(setting, {
    blocks: [
      input('title', 'Title', { type: 'plain_text_input' }),
      { ...input('note', 'Note', { type: 'rich_text_input' }), optional: true },
    ],
  });
  setting.app.answer(() => ({ status: 500 }));
  for (let sent = 0; sent < 4; sent += 1) await setting.person.submit();
  const submitted = z.object({
    view: z.object({ state: z.object({ values: z.object({ note: z.unknown().optional() }) }) }),
  });
  const notes = setting.app.heard
    .filter(({ kind }) => kind === 'view_submission')
    .map(({ payload }) => submitted.parse(payload).view.state.values.note);
  const entry = (held: object) => ({ value: { type: 'rich_text_input', ...held } });
  const section = { type: 'rich_text_section', elements: [] };
  const forms = [
    undefined,
    entry({}),
    entry({ rich_text_value: null }),
    entry({ rich_text_value: { type: 'rich_text', elements: [section] } }),
  ];
  for (const form of forms) expect(notes).toContainEqual(form);
});

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

test('an empty acknowledgment closes the view', async () => {
  const { result, person } = await submitAgainst({});
  expect(result.outcome).toBe('closed');
  expect(person.currentView()).toBeUndefined();
});

test('errors are shown under their inputs', async () => {
  const json = { response_action: 'errors', errors: { title: 'Too dull' } };
  const { result, person } = await submitAgainst({ json });
  expect(result).toMatchObject({ outcome: 'errors', errors: { Title: 'Too dull' } });
  expect(person.currentView()?.errors).toEqual({ title: 'Too dull' });
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

test('a slow submission shows an error', async () => {
  const setting = await setUp({}, { ackTimeoutMs: 40 });
  await withForm(setting);
  setting.app.answer(() => ({ never: true }));
  expect(await setting.person.submit()).toMatchObject({ outcome: 'trouble', reason: 'timeout' });
});

test('an update keeps the view and changes its content', async () => {
  const json = { response_action: 'update', view: SENT };
  const { result, person, app } = await submitAgainst({ json });
  expect(result.outcome).toBe('updated');
  expect(person.currentView()?.view.title).toMatchObject({ text: 'Sent' });
  expect(person.currentView()?.id).toBe(Object(app.heard.at(-1)?.payload.view).id);
});

test('a push shows a view on top, and closing it shows the first again', async () => {
  const { result, person } = await submitAgainst({ json: { response_action: 'push', view: SENT } });
  expect(result.outcome).toBe('pushed');
  expect(person.views()).toHaveLength(2);
  await person.close();
  expect(person.currentView()?.view.title).toMatchObject({ text: 'New request' });
});

test('clear closes every view', async () => {
  const { result, person } = await submitAgainst({ json: { response_action: 'clear' } });
  expect(result.outcome).toBe('cleared');
  expect(person.views()).toEqual([]);
});

test('an acknowledgment’s own update is applied even after a faster views.update', async () => {
  const faster = Promise.withResolvers<void>();
  const setting = await setUp({}, { ackUpdateAfter: faster.promise });
  const { app, person, call, slack } = setting;
  await withForm(setting);
  const view_id = person.currentView()?.id;
  const sending = modal({ title: { type: 'plain_text', text: 'Sending' }, blocks: [] });
  app.answer(() => ({ json: { response_action: 'update', view: sending } }));
  const submitted = person.submit();
  await slack.until(() => slack.deliveries.at(-1)?.acknowledged, 'the acknowledgment');
  const early = await call('views.update', { view_id, view: SENT });
  expect(early).toMatchObject({ ok: true });
  expect(person.currentView()?.view.title).toMatchObject({ text: 'Sent' });
  faster.resolve();
  expect(await submitted).toMatchObject({ outcome: 'updated' });
  expect(person.currentView()?.view.title).toMatchObject({ text: 'Sending' });
  const { hash } = Object(early.view);
  expect(await call('views.update', { view_id, hash, view: SENT })).toMatchObject({
    error: 'hash_conflict',
  });
});

test('a view that was closed meanwhile doesn’t come back', async () => {
  const closed = Promise.withResolvers<void>();
  const setting = await setUp({}, { ackUpdateAfter: closed.promise });
  const { app, person, slack } = setting;
  await withForm(setting);
  app.answer(() => ({ json: { response_action: 'update', view: SENT } }));
  const submitted = person.submit();
  await slack.until(() => slack.deliveries.at(-1)?.acknowledged, 'the acknowledgment');
  await person.close();
  closed.resolve();
  await submitted;
  expect(person.currentView()).toBeUndefined();
});

test('the app is told about closing only if the view requests it', async () => {
  const setting = await setUp();
  await withForm(setting);
  await setting.person.close();
  expect(setting.app.heard.map(({ kind }) => kind)).not.toContain('view_closed');
  await withForm(setting, { notify_on_close: true });
  await setting.person.close();
  expect(setting.app.heard.at(-1)).toMatchObject({
    kind: 'view_closed',
    payload: { is_cleared: false },
  });
});

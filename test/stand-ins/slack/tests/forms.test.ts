import { expect, test } from 'vitest';
import type { FieldValue } from '../people/field-values.ts';
import type { Reply } from './scripted-app.ts';
import { input, modal, option, section, setUp } from './setting.ts';

const CREATE = 'Create design request';

test('Slack itself marks required fields and text over max_length, and sends nothing', async () => {
  const { app, person, open } = await setUp();
  await open();
  const result = await person.submit();
  expect(result).toMatchObject({ outcome: 'incomplete', told: undefined });
  expect(Object.keys(result.errors)).toEqual(['Title']);
  await person.fill({ Title: 'x'.repeat(21) });
  expect(await person.submit()).toMatchObject({ outcome: 'incomplete' });
  expect(app.heard.filter(({ kind }) => kind === 'view_submission')).toEqual([]);
});

test.for<[what: string, reply: Reply]>([
  ['errors for a missing block', { json: { response_action: 'errors', errors: { no: 'No' } } }],
  ['errors for no input', { json: { response_action: 'errors', errors: { note: 'Wrong' } } }],
  ['empty errors', { json: { response_action: 'errors', errors: {} } }],
  ['an error without text', { json: { response_action: 'errors', errors: { title: '' } } }],
  ['an unknown response_action', { json: { response_action: 'explode' } }],
  ['an update without a view', { json: { response_action: 'update' } }],
  ['a bad view', { json: { response_action: 'update', view: { type: 'modal' } } }],
  ['an answer that is a list', { json: [] }],
  ['an answer that fails', { status: 500 }],
])('the person sees an error after %s, and it isn’t sent again', async ([, reply]) => {
  const { open, person, app, slack } = await setUp();
  const title = input('title', 'Title', { type: 'plain_text_input' });
  await open({ blocks: [title, { ...section('Note'), block_id: 'note' }] });
  await person.fill({ Title: 'Spring banner' });
  app.answer(() => reply);
  expect(await person.submit()).toMatchObject({ outcome: 'trouble' });
  await slack.idle();
  expect(app.heard.filter(({ kind }) => kind === 'view_submission')).toHaveLength(1);
  expect(person.currentView()).toMatchObject({
    notice: 'We had some trouble connecting. Try again?',
    values: { title: { value: { value: 'Spring banner' } } },
  });
});

const many = (count: number) => Array.from({ length: count }, (_, at) => option(`Brand ${at}`));

test.for<[what: string, reply: Reply, shown: number | undefined]>([
  ['a hundred options are shown', { json: { options: many(100) } }, 100],
  ['with one more there are none', { json: { options: many(101) } }, 0],
  ['no JSON fails to load', { text: 'nonsense' }, undefined],
  ['no options fail to load', { json: {} }, undefined],
  ['an option over 75 letters fails', { json: { options: [option('x'.repeat(76))] } }, undefined],
  ['an error fails to load', { status: 500 }, undefined],
])('in a searched menu, %s', async ([, reply, shown]) => {
  const { open, person, app } = await setUp();
  await open({ blocks: [input('brand', 'Brand', { type: 'external_select' })] });
  app.answer(() => reply);
  const suggested = person.suggest('Brand', 'Acme');
  if (shown === undefined) await expect(suggested).rejects.toThrow('Result failed to load');
  else expect(await suggested).toHaveLength(shown);
});

test('a field accepts only what a person could enter', async () => {
  const { slack, workspace, ann, open, person, marketing, app } = await setUp();
  const other = slack.addWorkspace({ name: 'Other' });
  const shared = workspace.addChannel({ name: 'shared', sharedWith: [other], members: [ann] });
  const filter = { include: ['public'], exclude_external_shared_channels: true };
  const several = { type: 'multi_external_select', min_query_length: 0, max_selected_items: 2 };
  const text = { type: 'plain_text_input' };
  await open({
    blocks: [
      input('title', 'Title', text),
      input('where', 'Share in', { type: 'conversations_select', filter }),
      input('files', 'Files', { type: 'file_input' }),
      input('type', 'Type', { type: 'static_select', options: [option('Banner', '1')] }),
      input('brand', 'Brand', several),
      input('a', 'Note', text),
      input('b', 'Note', text),
    ],
  });
  app.answer(() => ({ json: { options: many(3) } }));
  const choices = many(3).map(({ text: { text: choose } }) => ({ search: '', choose }));
  for (const [name, value, problem] of [
    ['Title', true, 'cannot be put into'],
    ['Share in', true, 'cannot be put into'],
    ['Share in', shared, 'does not offer'],
    ['Files', 'a.png', 'cannot be put into'],
    ['Type', 'Logo', 'only: Banner'],
    ['Brand', choices, 'takes 2 choices'],
    ['Note', 'x', '2 fields "Note"'],
    ['Size', 'x', 'only: Title'],
  ] as [string, FieldValue, string][]) {
    await expect(person.fill({ [name]: value })).rejects.toThrow(problem);
  }
  await person.fill({ 'Share in': marketing, Brand: choices.slice(0, 2) });
  expect(person.field('Brand').value?.selected_options).toHaveLength(2);
});

test('which files an app may read', async () => {
  const { slack, workspace, ann, call, open, person, trigger, expectAnswers } = await setUp();
  const picture = { name: 'Größe 1.png', mimetype: 'image/png', size: 200_000 };
  const file = workspace.addFile(ann, picture);
  const read = (token?: string) => call('files.info', { file: file.id }, token);
  const { url_private_download: url } = Object((await read()).file);
  const get = (token = workspace.botToken) =>
    fetch(url, { headers: { authorization: `Bearer ${token}` }, redirect: 'manual' });
  const { botToken: foreign } = slack.addWorkspace({ name: 'Globex' });
  // Without a token that may read it, people are sent to a page to sign in.
  for (const token of ['', 'xoxb-wrong', foreign]) {
    const answer = await get(token);
    expect(answer.status).toBe(302);
    const page = await fetch(new URL(answer.headers.get('location') ?? '', url));
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Sign in')]);
  }
  expect(await read(foreign)).toMatchObject({ error: 'file_not_found' });
  file.status = 'deleted';
  expect(await read()).toMatchObject({ error: 'file_deleted' });
  expect((await get()).status).toBe(404);
  file.sharedWithApp = false;
  expect(await read()).toMatchObject({ error: 'file_not_found' });
  expect((await get()).status).toBe(302);
  // A file that is uploading or elsewhere has no address to download it from.
  for (const more of [{ status: 'uploading' } as const, { external: 'https://x.example.com/1' }]) {
    const info = await call('files.info', {
      file: workspace.addFile(ann, { ...picture, ...more }).id,
    });
    expect(info.file).toMatchObject({ size: 0, is_external: 'external' in more });
    expect(info.file).not.toHaveProperty('url_private_download');
  }
  const blocks = [input('files', 'Files', { type: 'file_input', max_files: 1 })];
  await open({ blocks });
  await expect(person.fill({ Files: [picture, picture] })).rejects.toThrow('takes 1 files');
  expect(() => workspace.install({ without: ['commands'] })).toThrow('not an optional scope');
  workspace.install({ without: ['files:read'] });
  const needs = { ok: false, error: 'missing_scope', needed: 'files:read' };
  const args = { trigger_id: await trigger(), view: modal({ blocks }) };
  await expectAnswers([['views.open', args, needs]]);
});

test('which shortcuts exist, and for whom', async () => {
  const { person, marketing, workspace, ann } = await setUp();
  const message = await person.post(marketing, 'A banner');
  const secret = workspace.addChannel({ name: 'secret', kind: 'private', members: [ann] });
  const hidden = await person.post(secret, 'A banner');
  const max = workspace.as(workspace.addUser({ name: 'Max' }));
  await expect(person.messageShortcut(message, 'Something else')).rejects.toThrow('no message');
  await expect(person.messageShortcut(message, 'Request a design')).rejects.toThrow('no message');
  await expect(person.globalShortcut(CREATE)).rejects.toThrow('no global');
  await expect(max.messageShortcut(hidden, CREATE)).rejects.toThrow('doesn’t see');
});

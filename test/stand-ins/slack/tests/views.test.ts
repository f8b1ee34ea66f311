import { expect, test } from 'vitest';
import { button, input, modal, option, type Setting, section, setUp } from './setting.ts';

async function open(setting: Setting, changes: Record<string, unknown> = {}) {
  const trigger_id = await setting.trigger();
  const answer = await setting.call('views.open', { trigger_id, view: modal(changes) });
  expect(answer).toMatchObject({ ok: true });
  const view = setting.person.currentView();
  if (!view) throw new Error('No view opened');
  return view;
}

test('an invalid view is refused with the pointer of every problem', async () => {
  const { call, trigger, person } = await setUp();
  const view = modal({ title: { type: 'plain_text', text: 'A title of over 24 letters' } });
  const answer = await call('views.open', { trigger_id: await trigger(), view });
  expect(answer).toMatchObject({ ok: false, error: 'invalid_arguments' });
  const [message] = Object(answer.response_metadata).messages;
  expect(message).toMatch(/^\[ERROR\] .*\[json-pointer:\/view\/title\/text\]$/);
  expect(person.currentView()).toBeUndefined();
});

test.each(['', '{', '[]', '"x"'])('anything but a view is refused: %s', async (view) => {
  const { call, trigger } = await setUp();
  expect(await call('views.open', { trigger_id: await trigger(), view })).toMatchObject({
    error: 'invalid_arguments',
  });
});

test('a view over 250 KB is too large', async () => {
  const { call, trigger } = await setUp();
  const blocks = Array.from({ length: 100 }, () => section('x'.repeat(2900)));
  const view = modal({ blocks });
  expect(await call('views.open', { trigger_id: await trigger(), view })).toEqual({
    ok: false,
    error: 'view_too_large',
  });
});

test('at most three views can be stacked', async () => {
  const setting = await setUp();
  const { call, person } = setting;
  await open(setting, { blocks: [button('More', 'more'), section('x')] });
  const push = async () => {
    const { delivery } = await person.click({ text: 'More' });
    const { trigger_id } = delivery.payload;
    const view = modal({ blocks: [button('More', 'more')] });
    return call('views.push', { trigger_id, view });
  };
  expect(await push()).toMatchObject({ ok: true });
  expect(await push()).toMatchObject({ ok: true });
  expect(await push()).toEqual({ ok: false, error: 'push_limit_reached' });
  expect(person.views()).toHaveLength(3);
  const [root, second] = person.views();
  expect(second).toMatchObject({ rootId: root?.id, previousId: root?.id });
});

test('an outdated hash conflicts, and every update makes a new one', async () => {
  const setting = await setUp();
  const opened = await open(setting);
  const { id, hash } = opened;
  const update = (given: string) =>
    setting.call('views.update', { view_id: id, hash: given, view: modal() });
  expect(await update(hash)).toMatchObject({ ok: true });
  expect(opened.hash).not.toBe(hash);
  expect(await update(hash)).toEqual({ ok: false, error: 'hash_conflict' });
});

test('a closed, unknown, or foreign view is not found', async () => {
  const setting = await setUp();
  const { call, person, slack } = setting;
  const view = modal();
  expect(await call('views.update', { view_id: 'V1', view })).toMatchObject({ error: 'not_found' });
  const { id } = await open(setting);
  const other = slack.addWorkspace({ name: 'Other' });
  expect(await call('views.update', { view_id: id, view }, other.botToken)).toMatchObject({
    error: 'not_found',
  });
  await person.close();
  expect(await call('views.update', { view_id: id, view })).toMatchObject({ error: 'not_found' });
});

test('a menu lists only its own options', async () => {
  const setting = await setUp();
  const options = [option('Banner', '1')];
  await open(setting, { blocks: [input('type', 'Type', { type: 'static_select', options })] });
  await expect(setting.person.fill({ Type: 'Logo' })).rejects.toThrow('only: Banner');
  await expect(setting.person.fill({ Brand: 'Acme' })).rejects.toThrow('only: Type');
});

test('a conversations menu excludes what its filter excludes', async () => {
  const setting = await setUp();
  const { slack, workspace, ann, person, marketing } = setting;
  const other = slack.addWorkspace({ name: 'Other' });
  const shared = workspace.addChannel({ name: 'shared', sharedWith: [other], members: [ann] });
  const filter = { include: ['public'], exclude_external_shared_channels: true };
  const element = { type: 'conversations_select', filter };
  await open(setting, { blocks: [input('where', 'Share in', element)] });
  await expect(person.fill({ 'Share in': shared })).rejects.toThrow('does not offer');
  await person.fill({ 'Share in': marketing });
  expect(person.currentView()?.values.where).toMatchObject({
    value: { selected_conversation: marketing.id },
  });
});

test('a home view needs the home tab in the manifest', async () => {
  const without = await setUp();
  const view = { type: 'home', blocks: [section('Hello')] };
  expect(await without.call('views.publish', { user_id: without.ann.id, view })).toMatchObject({
    error: 'not_enabled',
  });
  const { call, ann, person } = await setUp({ homeTab: true });
  expect(await call('views.publish', { user_id: ann.id, view })).toMatchObject({ ok: true });
  expect(person.home()?.view.type).toBe('home');
  expect(await call('views.publish', { user_id: 'U0', view })).toMatchObject({
    error: 'user_not_found',
  });
  const modalInHome = await call('views.publish', { user_id: ann.id, view: modal() });
  expect(modalInHome).toMatchObject({ error: 'invalid_arguments' });
});

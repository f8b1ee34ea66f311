import { expect, test } from 'vitest';
import { modal, setUp } from './setting.ts';

const CREATE = 'Create design request';

test('a message shortcut carries the message, its channel, and a trigger for one view', async () => {
  const { person, marketing, ann, call } = await setUp();
  const message = await person.post(marketing, 'A banner', {
    files: [{ id: 'F1', name: 'brief.pdf' }],
  });
  const { delivery, triggerId } = await person.messageShortcut(message, CREATE);
  expect(delivery.payload).toMatchObject({
    type: 'message_action',
    callback_id: 'create-design-request',
    user: { id: ann.id },
    channel: { id: marketing.id, name: 'marketing' },
    message_ts: message.ts,
    message: { user: ann.id, text: 'A banner', ts: message.ts, files: [{ id: 'F1' }] },
    response_url: expect.stringContaining('/actions/'),
  });
  const trigger = { trigger_id: triggerId, view: modal() };
  expect(await call('views.open', trigger)).toMatchObject({ ok: true });
  expect(await call('views.open', trigger)).toMatchObject({ error: 'exchanged_trigger_id' });
});

test('a message shortcut in a channel shared with another company only names the files', async () => {
  const { slack, workspace, ann, person } = await setUp();
  const globex = slack.addWorkspace({ name: 'Globex' });
  const shared = workspace.addChannel({ name: 'shared', sharedWith: [globex], members: [ann] });
  const file = { id: 'F1', name: 'brief.pdf', created: 5, mode: 'hosted', file_access: 'visible' };
  const message = await person.post(shared, 'A banner', { files: [file] });
  const { delivery } = await person.messageShortcut(message, CREATE);
  expect(delivery.payload).toMatchObject({
    message: { files: [{ id: 'F1', mode: 'file_access', file_access: 'check_file_info' }] },
  });
  expect(JSON.stringify(delivery.payload)).not.toContain('brief.pdf');
});

test('a forwarded message carries the blocks, the files, and the link of the original', async () => {
  const { person, marketing } = await setUp();
  const blocks = [{ type: 'divider' }];
  const original = await person.post(marketing, 'Ideas', { blocks, files: [{ id: 'F1' }] });
  const { text, attachments } = await person.forward(original, marketing);
  expect({ text, attachments }).toMatchObject({
    text: '',
    attachments: [
      {
        is_share: true,
        text: 'Ideas',
        message_blocks: [{ ts: original.ts, message: { blocks } }],
        files: [{ id: 'F1' }],
        from_url: `https://acme.slack.com/archives/${marketing.id}/p${original.ts.replace('.', '')}`,
      },
    ],
  });
});

test('a global shortcut carries neither a channel nor a response_url', async () => {
  const { person } = await setUp();
  const { delivery } = await person.globalShortcut('Request a design');
  expect(delivery.payload).toMatchObject({ type: 'shortcut', callback_id: 'request-a-design' });
  expect(delivery.payload).not.toHaveProperty('channel');
  expect(delivery.payload).not.toHaveProperty('response_url');
});

test('only shortcuts of the manifest exist, each for its type', async () => {
  const { person, marketing } = await setUp();
  const message = await person.post(marketing, 'A banner');
  await expect(person.messageShortcut(message, 'Something else')).rejects.toThrow('no message');
  await expect(person.messageShortcut(message, 'Request a design')).rejects.toThrow('no message');
  await expect(person.globalShortcut(CREATE)).rejects.toThrow('no global');
});

test('a person who doesn’t see a message can’t use a shortcut on it', async () => {
  const { workspace, person, ann } = await setUp();
  const secret = workspace.addChannel({ name: 'secret', kind: 'private', members: [ann] });
  const message = await person.post(secret, 'A banner');
  const other = workspace.as(workspace.addUser({ name: 'Max' }));
  await expect(other.messageShortcut(message, CREATE)).rejects.toThrow('doesn’t see');
});

test('a message’s link is known only where the bot sees the message', async () => {
  const { call, person, marketing, workspace, ann } = await setUp();
  const parent = await person.post(marketing, 'Ideas?');
  const reply = await person.post(marketing, 'A banner', { threadTs: parent.ts });
  const at = { channel: marketing.id, message_ts: parent.ts };
  const path = `https://acme.slack.com/archives/${marketing.id}`;
  expect(await call('chat.getPermalink', at)).toMatchObject({
    permalink: `${path}/p${parent.ts.replace('.', '')}`,
  });
  expect(await call('chat.getPermalink', { ...at, message_ts: reply.ts })).toMatchObject({
    permalink: `${path}/p${reply.ts.replace('.', '')}?thread_ts=${parent.ts}&cid=${marketing.id}`,
  });
  expect(await call('chat.getPermalink', { ...at, message_ts: '1.1' })).toMatchObject({
    error: 'message_not_found',
  });
  const secret = workspace.addChannel({ name: 'secret', kind: 'private', members: [ann] });
  const hidden = await person.post(secret, 'A banner');
  expect(
    await call('chat.getPermalink', { channel: secret.id, message_ts: hidden.ts }),
  ).toMatchObject({ error: 'channel_not_found' });
});

test('opening the Home tab is told to the app, with the view that it shows', async () => {
  const { person, ann, slack, call } = await setUp({ homeTab: true, events: ['app_home_opened'] });
  person.openApp();
  const events = () => slack.deliveries.map(({ payload }) => payload.event);
  expect(events()).toMatchObject([{ type: 'app_home_opened', user: ann.id, tab: 'home' }]);
  expect(events()[0]).not.toHaveProperty('view');
  const view = { type: 'home', blocks: [{ type: 'divider' }] };
  await call('views.publish', { user_id: ann.id, view });
  person.openApp();
  expect(events()[1]).toMatchObject({ view: { type: 'home', hash: expect.any(String) } });
  person.openApp('messages');
  expect(events()[2]).toMatchObject({ tab: 'messages' });
});

test('there is no Home tab unless the manifest enables it', async () => {
  const { person } = await setUp();
  expect(() => person.openApp()).toThrow('no home tab');
});

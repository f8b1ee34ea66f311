import { expect, test } from 'vitest';
import { setUp } from './setting.ts';

const CREATE = 'Create design request';

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

test('there is no Home tab unless the manifest enables it', async () => {
  const { person } = await setUp();
  expect(() => person.openApp()).toThrow('no home tab');
});

import { expect, test } from 'vitest';
import { setUp } from './setting.ts';

test('chat:write.public doesn’t extend to a channel that another company created', async () => {
  const { workspace, slack, call } = await setUp();
  const host = slack.addWorkspace({ name: 'Host' });
  const channel = host.addChannel({ name: 'theirs', sharedWith: [workspace] });
  expect(await call('chat.postMessage', { channel: channel.id, text: 'x' })).toMatchObject({
    error: 'not_in_channel',
  });
});

test('one workspace doesn’t see the channels, people, and views of another', async () => {
  const { slack, call, marketing, ann } = await setUp();
  const { botToken } = slack.addWorkspace({ name: 'Other' });
  const { id: channel } = marketing;
  expect(await call('conversations.info', { channel }, botToken)).toMatchObject({
    error: 'channel_not_found',
  });
  expect(await call('users.info', { user: ann.id }, botToken)).toMatchObject({
    error: 'user_not_visible',
  });
  expect(await call('chat.postMessage', { channel: ann.id, text: 'x' }, botToken)).toMatchObject({
    error: 'channel_not_found',
  });
});

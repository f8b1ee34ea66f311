import { expect, test } from 'vitest';
import { button, modal, setUp } from './setting.ts';

const CARD = 'https://app.example.com/card/7';

async function setUpShared() {
  const setting = await setUp();
  const other = setting.slack.addWorkspace({ name: 'Other', installed: false });
  const bob = setting.workspace.addUser({ name: 'Bob', of: other });
  const members = [setting.ann, bob];
  const channel = setting.workspace.addChannel({ name: 'shared', sharedWith: [other], members });
  return { ...setting, other, bob, channel };
}

test('a link from another company has their team ID, authorized for ours', async () => {
  const { workspace, other, bob, channel, slack, app } = await setUpShared();
  await other.as(bob).post(channel, CARD);
  await slack.idle();
  expect(app.heard).toMatchObject([
    {
      payload: {
        team_id: other.id,
        context_team_id: workspace.id,
        is_ext_shared_channel: true,
        authorizations: [{ team_id: workspace.id }],
      },
    },
  ]);
});

test('an organization-wide installation has no team in its authorization', async () => {
  const { slack, app } = await setUp();
  const grid = slack.addWorkspace({ name: 'Grid', enterpriseId: 'E1', orgWideInstall: true });
  const gus = grid.addUser({ name: 'Gus' });
  const general = grid.addChannel({ name: 'general' });
  await grid.as(gus).post(general, CARD);
  await slack.idle();
  expect(app.heard[0]?.payload).toMatchObject({
    context_team_id: grid.id,
    context_enterprise_id: 'E1',
    authorizations: [{ team_id: null, enterprise_id: 'E1', is_enterprise_install: true }],
  });
  await grid.as(gus).command(general);
  expect(app.heard[1]?.payload).toMatchObject({
    is_enterprise_install: 'true',
    enterprise_id: 'E1',
    team_id: grid.id,
  });
});

test('a button press from another company has our team, with their own team ID in the user', async () => {
  const { workspace, other, bob, channel, call, app } = await setUpShared();
  const blocks = [button('Refresh', 'refresh')];
  const posted = await call('chat.postMessage', { channel: channel.id, text: 'x', blocks });
  expect(posted).toMatchObject({ ok: true });
  const [message] = other.messages(channel);
  if (!message) throw new Error('The other company does not see the message');
  const person = other.as(bob);
  const { delivery } = await person.click({ message, text: 'Refresh' });
  expect(app.heard.at(-1)?.payload).toMatchObject({
    team: { id: workspace.id },
    user: { id: bob.id, team_id: other.id },
  });
  const { trigger_id } = delivery.payload;
  expect(await call('views.open', { trigger_id, view: modal() })).toMatchObject({
    view: { team_id: other.id, app_installed_team_id: workspace.id },
  });
  await person.fill({ Title: 'Banner' });
  expect(await person.submit()).toMatchObject({ outcome: 'closed' });
  expect(app.heard.at(-1)?.payload).toMatchObject({ team: { id: workspace.id } });
});

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

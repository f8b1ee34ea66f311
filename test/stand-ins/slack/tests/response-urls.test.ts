import { expect, test } from 'vitest';
import { button, setUp } from './setting.ts';

const post = (url: string, body: unknown) =>
  fetch(url, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });

async function fromCommand() {
  const setting = await setUp();
  const { responseUrl } = await setting.person.command(setting.marketing);
  return { ...setting, responseUrl };
}

test('a response_url works five times', async () => {
  const { responseUrl, workspace, ann } = await fromCommand();
  for (let use = 1; use <= 5; use += 1) {
    expect((await post(responseUrl, { text: `${use}` })).status).toBe(200);
  }
  expect((await post(responseUrl, { text: '6' })).status).toBe(404);
  expect(workspace.ephemerals(ann)).toHaveLength(5);
});

test('a response_url works for thirty minutes', async () => {
  const { responseUrl, pass } = await fromCommand();
  pass(30 * 60 * 1000);
  expect((await post(responseUrl, { text: 'x' })).status).toBe(200);
  pass(1);
  expect((await post(responseUrl, { text: 'x' })).status).toBe(404);
});

test('invalid answers are refused, and count', async () => {
  const { responseUrl, workspace, ann } = await fromCommand();
  expect((await post(responseUrl, 'nonsense')).status).toBe(400);
  for (const body of [{}, { blocks: [{ type: 'section' }] }, { text: '' }, {}, {}]) {
    expect((await post(responseUrl, body)).status).toBe(400);
  }
  expect((await post(responseUrl, { text: 'x' })).status).toBe(404);
  expect(workspace.ephemerals(ann)).toEqual([]);
  expect((await post(`${responseUrl}x`, { text: 'x' })).status).toBe(404);
});

test('an answer goes to the channel if it says so', async () => {
  const { responseUrl, workspace, marketing } = await fromCommand();
  await post(responseUrl, { response_type: 'in_channel', text: 'For all' });
  expect(workspace.messages(marketing)).toMatchObject([{ text: 'For all' }]);
});

test('an answer reaches a private channel that the bot isn’t in', async () => {
  const { workspace, ann, person } = await setUp();
  const secret = workspace.addChannel({ name: 's', kind: 'private', members: [ann] });
  const { responseUrl } = await person.command(secret);
  expect((await post(responseUrl, { text: 'x' })).status).toBe(200);
});

test('the original message can be replaced and deleted', async () => {
  const { call, marketing, workspace, person } = await setUp();
  const blocks = [button('Go', 'go')];
  await call('chat.postMessage', { channel: marketing.id, text: 'Old', blocks });
  const [message] = workspace.messages(marketing);
  if (!message) throw new Error('No message');
  const { delivery } = await person.click({ message, text: 'Go' });
  const url = String(delivery.payload.response_url);
  await post(url, { replace_original: true, text: 'New' });
  expect(workspace.messages(marketing)).toMatchObject([{ text: 'New', blocks: [] }]);
  await post(url, { delete_original: true });
  expect(workspace.messages(marketing)).toEqual([]);
});

test('an ephemeral original can be replaced and deleted too', async () => {
  const { call, marketing, workspace, ann, person } = await setUp();
  const { id: channel } = marketing;
  marketing.members.add(workspace.botUserId);
  const blocks = [button('Go', 'go')];
  await call('chat.postEphemeral', { channel, user: ann.id, text: 'Old', blocks });
  const [ephemeral] = workspace.ephemerals(ann);
  if (!ephemeral) throw new Error('No ephemeral message');
  const { delivery } = await person.click({ ephemeral, text: 'Go' });
  const url = String(delivery.payload.response_url);
  await post(url, { replace_original: true, text: 'New' });
  expect(workspace.ephemerals(ann)).toMatchObject([{ text: 'New' }]);
  await post(url, { delete_original: true });
  expect(workspace.ephemerals(ann)).toEqual([]);
});

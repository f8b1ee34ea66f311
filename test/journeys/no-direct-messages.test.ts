import { describe, expect, it } from 'vitest';
import type { FaultKind } from '../stand-ins/slack/faults.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { install } from './browser.ts';
import { connect } from './connecting.ts';
import {
  confirmed,
  fillForm,
  openFilledForm,
  openForm,
  openFormFrom,
  sendRequest,
} from './form.ts';
import { dueJobsHandled, jobsHandled, slackCalls } from './links.ts';
import { startWorld, type World, worldAhead } from './world.ts';

const MINUTE_MS = 60_000;
const SETTING = 'features.app_home.messages_tab_enabled';

/** The first message with this text that only Ann sees. */
function shownToAnn({ acme, ann, slack }: World, words: string) {
  return slack.until(
    () => acme.ephemerals(ann).find((message) => textOfMessage(message).includes(words)),
    `a message with “${words}”`,
  );
}

/** Every message to a person is tried once, and the log names the Slack setting to change. */
async function expectNoRetries(world: World, userId: string): Promise<void> {
  await jobsHandled(world, 'announce-request');
  await jobsHandled(world, 'key-rejected');
  const tried = slackCalls(world, 'chat.postMessage').filter(
    ({ args, response }) => args.channel === userId && response?.error !== 'ratelimited',
  );
  expect(tried.length).toBeGreaterThan(0);
  expect(tried.every(({ response }) => response?.error === 'messages_tab_disabled')).toBe(true);
  expect(world.logLines.filter((line) => line.includes(SETTING))).toHaveLength(tried.length);
}

describe('if Slack refuses direct messages', () => {
  it('a rejected request comes back in the channel, only to its author', async () => {
    const world = await startWorld({ messagesTab: false });
    const { ann, general, service, me } = world;
    const types = [...service.referenceLists.requestTypes];
    service.referenceLists.requestTypes = types.filter(({ id }) => id !== 'type-social');
    await sendRequest(world, me);
    const ephemeral = await shownToAnn(world, 'didn’t accept it');
    expect(ephemeral.channelId).toBe(general.id);
    await expectNoRetries(world, ann.id);

    service.referenceLists.requestTypes = types;
    await me.close({ all: true });
    await openFormFrom(world, me, { ephemeral, text: 'Fix and resend' });
    await confirmed(world, me);
  });

  it('a request in doubt is asked about in the channel', async () => {
    const world = await startWorld({ messagesTab: false });
    const { ann, service, me } = world;
    service.faults.add({ kind: 'drop-after-executing', operation: 'createCard', times: 1 });
    await sendRequest(world, me);
    const ephemeral = await shownToAnn(world, 'Search your dashboard for');
    await expectNoRetries(world, ann.id);
    await openFormFrom(world, me, { ephemeral, text: 'Found it' }, 'Card link or ID');
    await me.fill({ 'Card link or ID': service.cards.all().at(-1)?.id ?? '' });
    await confirmed(world, me);
    expect(service.calls({ operation: 'createCard' })).toHaveLength(1);
  });

  it('a confirmation comes in the channel, even a private one without the app', async () => {
    const { world, acme, ann, me } = await startWorld({ messagesTab: false });
    const secret = acme.addChannel({ name: 'secret', kind: 'private', members: [ann] });
    await openForm(world, me, '', secret);
    await fillForm(world, me);
    await me.submit();
    expect(await shownToAnn(world, 'Spring banner')).toMatchObject({ channelId: secret.id });
    await expectNoRetries(world, ann.id);
  });

  it('a delay is announced once', async () => {
    const world = await worldAhead({ messagesTab: false, transport: 'socket' });
    const { acme, ann, general, service, slack, me } = world;
    service.faults.add({
      operation: 'createCard',
      kind: 'rate-limited',
      retryAfter: 120,
      times: 2,
    });
    await sendRequest(world, me);
    await shownToAnn(world, 'Your request is saved');
    // Minutes pass until it has been sent; something new wakes the queue each time.
    const isSent = async () => {
      await dueJobsHandled(world, 'deliver-request', slack.state.clock());
      await jobsHandled(world, 'announce-request');
      world.pass(3 * MINUTE_MS);
      await me.post(general, world.cardUrl('card-1001'));
      return acme.messages(general).some(({ botId }) => botId !== undefined);
    };
    await expect.poll(isSent).toBe(true);
    expect(service.calls({ operation: 'createCard' })).toHaveLength(3);
    const waits = acme
      .ephemerals(ann)
      .filter((one) => textOfMessage(one).includes('Your request is saved'));
    expect(waits).toHaveLength(1);
  });

  it('an admin hears of a rejected key where they last used the app, even after a restart', async () => {
    const world = await startWorld({ messagesTab: false, connected: false });
    const { acme, admin, ann, general, service, slack, me, ada } = world;
    general.members.add(acme.botUserId);
    await connect(world, ada, service.apiKey);
    const elsewhere = acme.addChannel({ name: 'ops', members: [admin], botIsMember: true });
    await ada.command(elsewhere, 'help');
    // A direct message between people isn't remembered: the app can't post there.
    const between = acme.addChannel({ name: '', kind: 'im', members: [admin, ann] });
    await ada.command(between, 'help');
    await world.restart();
    const before = acme.ephemerals(admin).length;
    service.revokeKey(service.apiKey);
    await me.post(general, world.cardUrl('card-1001'));
    const told = await slack.until(() => acme.ephemerals(admin)[before], 'the notice');
    expect(told).toMatchObject({ channelId: elsewhere.id });
    expect(told.text).toContain('no longer accepts this workspace’s API key');
    expect(slackCalls(world, 'chat.postEphemeral').at(-1)?.args).toMatchObject({ user: admin.id });
    await expectNoRetries(world, admin.id);
  });

  it('nobody is told if there is no such channel, and the list shows the request', async () => {
    const { world, ann, general, service, slack, me } = await startWorld({ messagesTab: false });
    service.faults.add({ kind: 'drop-after-executing', operation: 'createCard', times: 1 });
    slack.faults.add({ method: 'chat.postMessage', kind: 'rate_limited', retryAfter: 2, times: 1 });
    await sendRequest(world, me);
    await slack.until(() => slackCalls(world, 'chat.postMessage')[0], 'the first attempt');
    // The command's reply URL, which works without the app in the channel, is kept in memory only.
    await world.restart();
    await expectNoRetries(world, ann.id);
    await me.command(general, 'list');
    const listed = textOfMessage(await shownToAnn(world, 'May not have arrived'));
    for (const button of ['Found it', 'Not there, send again', 'Discard'])
      expect(listed).toContain(button);
  });

  it('an expired reply URL is replaced by the channel, when Slack’s rate limit allows', async () => {
    const world = await worldAhead({ messagesTab: false, transport: 'socket' });
    const { acme, general, service, slack, me } = world;
    general.members.add(acme.botUserId);
    await openFilledForm(world, me);
    world.pass(31 * MINUTE_MS);
    const limited = { method: 'chat.postEphemeral', kind: 'rate_limited', retryAfter: 1 } as const;
    slack.faults.add({ ...limited, times: 1 });
    service.faults.add({ kind: 'drop-after-executing', operation: 'createCard', times: 1 });
    await me.submit();
    await shownToAnn(world, 'Search your dashboard for');
    expect(slackCalls(world, 'response_url')).toEqual([]);
    expect(slackCalls(world, 'chat.postEphemeral')).toHaveLength(2);
  });

  it('an installer without a channel is not greeted, and it isn’t retried', async () => {
    const { world, acme, admin, logLines } = await startWorld({ messagesTab: false, many: true });
    await install(world, acme, admin);
    await jobsHandled(world, 'greet-installer');
    expect(slackCalls(world, 'chat.postMessage')).toHaveLength(1);
    expect(logLines.filter((line) => line.includes(SETTING))).toHaveLength(1);
  });

  it('another admin hears of a rejected key if the one who connected it can’t be reached', async () => {
    const world = await startWorld({ messagesTab: false, connected: false });
    const { acme, general, service, slack, me, ada } = world;
    const olga = acme.addUser({ name: 'Olga', owner: true });
    const ops = acme.addChannel({ name: 'ops', members: [olga], botIsMember: true });
    await connect(world, ada, service.apiKey);
    await acme.as(olga).command(ops, 'help');
    await world.restart();
    const before = acme.ephemerals(olga).length;
    service.revokeKey(service.apiKey);
    await me.post(general, world.cardUrl('card-1001'));
    const told = await slack.until(() => acme.ephemerals(olga)[before], 'the notice');
    expect(told.text).toContain('no longer accepts');
  });
});

it.each<FaultKind>([{ kind: 'error', error: 'internal_error' }, { kind: 'lost_answer' }])(
  'an admin is told once of a rejected key, even if Slack fails at first: %o',
  async (fault) => {
    const { world, acme, admin, general, service, slack, me, ada } = await startWorld({
      connected: false,
    });
    // The hint to the poster of the link goes there.
    general.members.add(acme.botUserId);
    await connect(world, ada, service.apiKey);
    const before = acme.directMessages(admin).length;
    slack.faults.add({ method: 'chat.postMessage', ...fault, times: 1 });
    service.revokeKey(service.apiKey);
    await me.post(general, world.cardUrl('card-1001'));
    await slack.until(() => acme.directMessages(admin).length > before, 'the notice');
    await jobsHandled(world, 'key-rejected');
    expect(acme.directMessages(admin)).toHaveLength(before + 1);
  },
);

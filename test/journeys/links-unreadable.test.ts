import { describe, expect } from 'vitest';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { connect } from './connecting.ts';
import { eventsHandled, postShown, postUnshown, privateAnswer, slackCalls } from './links.ts';
import { listsRead } from './lists-read.ts';
import { it, startWorld, type World } from './world.ts';

const everythingSaid = ({ slack }: World) => [
  ...slack.state.ephemerals,
  ...[...slack.state.messages.values()].flat().filter(({ botId }) => botId),
];

const cardOf = (world: World, title: string) => world.service.cards.add({ title }).id;

describe('a card that can’t be read', () => {
  it('is not shown if the service doesn’t have it, and only its poster is told, once', async () => {
    const { world, acme, ann, general, service, me, cardUrl } = await startWorld();
    general.members.add(acme.botUserId);
    const unknown = cardUrl('unknown');
    const hint = await privateAnswer(world, ann, () => me.post(general, unknown));
    expect(hint.text).toContain('Couldn’t find this card');
    for (let times = 0; times < 3; times += 1) await postUnshown(world, me, unknown);
    expect(service.calls({ operation: 'getCard' })).toHaveLength(1);
    await world.restart();
    await postUnshown(world, me, unknown);
    expect(everythingSaid(world)).toHaveLength(1);
    const other = acme.addChannel({ name: 'design', members: [ann], botIsMember: true });
    await privateAnswer(world, ann, () => me.post(other, unknown));
  });

  it.each([
    [400, 'Couldn’t find this card'],
    [403, 'the API key can’t read it'],
  ])(
    'is not shown if the service answers %i, and only its poster is told',
    async (status, words) => {
      const { world, acme, ann, general, service, me, cardUrl } = await startWorld();
      general.members.add(acme.botUserId);
      service.faults.add({ operation: 'getCard', kind: 'status', status });
      await postUnshown(world, me, cardUrl(cardOf(world, 'Autumn poster')));
      expect(service.calls({ operation: 'getCard' })).toHaveLength(1);
      expect(acme.ephemerals(ann)).toMatchObject([{ text: expect.stringContaining(words) }]);
    },
  );

  it('is reported with the next link if Slack fails for a moment', async () => {
    const { world, acme, ann, general, slack, me, cardUrl } = await startWorld();
    general.members.add(acme.botUserId);
    slack.faults.add({ method: 'chat.postEphemeral', kind: 'http', status: 500 });
    await postUnshown(world, me, cardUrl('unknown'));
    slack.faults.clear();
    await privateAnswer(world, ann, () => me.post(general, `again: ${cardUrl('unknown')}`));
  });

  it('doesn’t prevent the message’s other card from being shown', async ({ world, cardUrl }) => {
    const url = cardUrl(cardOf(world, 'The other one'));
    const text = `${cardUrl('unknown')} ${url}`;
    const message = await postShown(world, world.acme.as(world.ann), text);
    expect(message.attachments).toMatchObject([{ app_unfurl_url: url }]);
    expect(textOfMessage(message)).toContain('The other one');
  });
});

it('gives no hint where the app isn’t in the channel, until it is', async () => {
  const { world, acme, ann, me, cardUrl } = await startWorld();
  const channel = acme.addChannel({ name: 'elsewhere', members: [ann] });
  await postUnshown(world, me, cardUrl('no-such-card'), channel);
  expect(everythingSaid(world)).toEqual([]);
  channel.members.add(acme.botUserId);
  const hint = await privateAnswer(world, ann, () => me.post(channel, cardUrl('no-such-card')));
  expect(hint.text).toContain('Couldn’t find this card');
});

describe('a workspace without a key', () => {
  it('gives the poster of a card link a quiet hint, once', async () => {
    const { world, acme, admin, ann, general, me, ada } = await startWorld({ connected: false });
    general.members.add(acme.botUserId);
    const url = world.cardUrl('card-1001');
    const hint = await privateAnswer(world, ann, () => me.post(general, `${url} ${url}/`));
    expect(hint).toMatchObject({ channelId: general.id });
    expect(hint.text).toContain('isn’t connected to your design service');
    expect(hint.text).toContain('/design-request connect');

    await postUnshown(world, me, url);
    await world.restart();
    await postUnshown(world, me, url);
    expect(everythingSaid(world)).toHaveLength(1);

    await privateAnswer(world, admin, () => ada.post(general, url));
    expect(world.service.calls()).toEqual([]);
  });

  it('gives the hint in a direct message in a channel without the app', async () => {
    const { world, acme, ann, me, cardUrl } = await startWorld({ connected: false });
    const channel = acme.addChannel({ name: 'elsewhere', members: [ann] });
    await postUnshown(world, me, cardUrl('card-1001'), channel);
    expect(acme.directMessages(ann)).toHaveLength(1);
    expect(acme.directMessages(ann)[0]?.text).toContain('isn’t connected');
    expect(acme.ephemerals(ann)).toEqual([]);
  });

  it.each<[string, { bot?: boolean; id?: string }]>([
    ['another app’s bot', { bot: true }],
    ['Slackbot', { id: 'USLACKBOT' }],
  ])('gives no hint to %s, whose links unfurl once there is a key', async (name, options) => {
    const { world, acme, service, ada, cardUrl, logLines } = await startWorld({ connected: false });
    const bot = acme.as(acme.addUser({ name, ...options }));
    const url = cardUrl(cardOf(world, 'From a bot'));
    await postUnshown(world, bot, url);
    expect(everythingSaid(world)).toEqual([]);
    expect(slackCalls(world, 'chat.postEphemeral')).toEqual([]);
    expect(slackCalls(world, 'chat.postMessage')).toEqual([]);
    expect(logLines.join('')).not.toContain('job failed');

    await connect(world, ada, service.apiKey);
    expect(textOfMessage(await postShown(world, bot, url))).toContain('From a bot');
  });

  it('gives no hint in the composer, nor for links that aren’t cards', async () => {
    const { world, general, me, cardUrl } = await startWorld({ connected: false });
    const preview = await me.compose(general, cardUrl('card-1001'));
    await postUnshown(world, me, 'https://app.example.com/brand/1');
    expect(preview.attachments).toEqual([]);
    expect(everythingSaid(world)).toEqual([]);
  });
});

it('a key that the service rejects is not used again, the admin who connected it is told once, and links unfurl with a new key', async () => {
  const world = await startWorld({ connected: false });
  const { acme, admin, ann, general, service, me, ada } = world;
  general.members.add(acme.botUserId);
  await connect(world, ada, service.apiKey);
  await listsRead(world);
  const told = acme.directMessages(admin).length;
  service.revokeKey(service.apiKey);

  const links = ['one', 'two', 'three'].map((title) => world.cardUrl(cardOf(world, title)));
  await postUnshown(world, me, links.join(' '));
  expect(acme.directMessages(admin).slice(told)).toHaveLength(1);
  const [notice] = acme.directMessages(admin).slice(told);
  expect(notice?.text).toContain('no longer accepts this workspace’s API key');
  // What helps is next to the sentence.
  expect(JSON.stringify(notice?.blocks)).toContain('open-connect');
  expect(acme.ephemerals(ann)).toHaveLength(1);
  expect(acme.ephemerals(ann)[0]?.text).toContain('no longer accepts');
  expect(acme.ephemerals(ann)[0]?.text).not.toContain('isn’t connected');

  const calls = service.calls().length;
  await postUnshown(world, me, world.cardUrl(cardOf(world, 'four')));
  await me.compose(world.general, world.cardUrl(cardOf(world, 'five')));
  await world.restart();
  await postUnshown(world, me, world.cardUrl(cardOf(world, 'six')));
  expect(service.calls()).toHaveLength(calls);
  expect(acme.directMessages(admin).slice(told)).toHaveLength(1);
  expect(acme.ephemerals(ann)).toHaveLength(1);

  await connect(world, ada, service.issueKey());
  const message = await postShown(world, me, links[0] ?? '');
  expect(textOfMessage(message)).toContain('one');
});

it('a key that is replaced no longer affects reads that were in progress', async () => {
  const { world, general, service, ada, me, cardUrl } = await startWorld();
  const { id } = service.cards.add({ title: 'Of the first account' });
  service.faults.add({ operation: 'getCard', kind: 'stall', ms: 1_500, times: 1 });
  const message = await me.post(general, cardUrl(id));
  await expect.poll(() => service.calls({ operation: 'getCard' }).length).toBe(1);
  await connect(world, ada, service.issueKey({ account: 'account-2' }));
  await expect.poll(() => message.attachments.length).toBe(1);
  // The new key may not read that card, whatever the old one still returned.
  await postUnshown(world, me, cardUrl(id));
  await eventsHandled(world);
  expect(slackCalls(world, 'chat.unfurl')).toHaveLength(1);
});

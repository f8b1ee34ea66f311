import { describe, expect, it } from 'vitest';
import type { User } from '../stand-ins/slack/state/model.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { connect } from './connecting.ts';
import { openFormFrom, submitUntil } from './form.ts';
import { startWorld, type Transport, type World, type WorldOptions } from './world.ts';

const DAY_MS = 24 * 60 * 60_000;

async function notConnected(options: WorldOptions = {}) {
  let ahead = 0;
  const clock = () => new Date(Date.now() + ahead);
  const world = await startWorld({ connected: false, ...options, clock });
  return {
    ...world,
    pass(ms: number) {
      ahead += ms;
    },
  };
}

async function replyTo({ acme, general, slack }: World, who: User, typed: string) {
  const before = acme.ephemerals(who).length;
  await acme.as(who).command(general, typed);
  return slack.until(() => acme.ephemerals(who)[before], 'the reply');
}

async function ask(world: World, who: User, button = 'Ask an admin') {
  const { acme, slack } = world;
  const ephemeral = await replyTo(world, who, 'types');
  const before = acme.ephemerals(who).length;
  await acme.as(who).click({ ephemeral, text: button });
  return textOfMessage(await slack.until(() => acme.ephemerals(who)[before], 'the answer'));
}

const askedOf = ({ acme }: World, who: User) =>
  acme.directMessages(who).filter((message) => textOfMessage(message).includes('asks you'));

describe('where the workspace isn’t connected', () => {
  it.each(['types', 'brands', 'tags', 'status 5'])(
    '“%s” offers admins to connect it, and others to ask them',
    async (typed) => {
      const { world, admin, ann, ada } = await notConnected();
      expect(textOfMessage(await replyTo(world, ann, typed))).toContain('Ask an admin');
      const ephemeral = await replyTo(world, admin, typed);
      await openFormFrom(world, ada, { ephemeral, text: 'Connect' }, 'API key');
    },
  );

  it.each<Transport>(['http', 'socket'])(
    'an admin who is asked gets a message with a button that connects it (%s)',
    async (transport) => {
      const { world, admin, ann, service, ada } = await notConnected({ transport });
      expect(await ask(world, ann)).toContain(`We asked <@${admin.id}>`);
      const [message] = askedOf(world, admin);
      expect(message && textOfMessage(message)).toContain(`<@${ann.id}> asks you`);
      await openFormFrom(world, ada, { message, text: 'Connect' }, 'API key');
      await ada.fill({ 'API key': service.apiKey });
      await submitUntil(world, ada, 'Connected');
    },
  );

  it('each person can ask once a day, and is told so', async () => {
    const { world, pass, acme, admin, ann, general } = await notConnected();
    const bob = acme.addUser({ name: 'Bob' });
    general.members.add(bob.id);
    expect(await ask(world, ann)).toContain('We asked');
    expect(await ask(world, ann)).toContain('already asked today');
    await world.restart();
    expect(await ask(world, ann)).toContain('already asked today');
    expect(askedOf(world, admin)).toHaveLength(1);
    expect(await ask(world, bob)).toContain('We asked');
    pass(DAY_MS);
    expect(await ask(world, ann)).toContain('We asked');
    expect(askedOf(world, admin)).toHaveLength(3);
  });

  it('the admin who connected the rejected key is named and asked', async () => {
    const { world, acme, admin, ann, service } = await notConnected();
    const olga = acme.addUser({ name: 'Olga', owner: true });
    await connect(world, acme.as(olga), service.apiKey);
    service.revokeKey(service.apiKey);
    await replyTo(world, ann, 'types');
    expect(textOfMessage(await replyTo(world, ann, 'tags'))).toContain(`Ask <@${olga.id}>`);
    expect(await ask(world, ann, 'Ask Olga')).toContain(`We asked <@${olga.id}>.`);
    expect(askedOf(world, admin)).toEqual([]);
    expect(askedOf(world, olga)).toHaveLength(1);
  });

  it('others are asked if the one who connected the key is no admin any more', async () => {
    const { world, acme, admin, ann, service } = await notConnected();
    const olga = acme.addUser({ name: 'Olga', owner: true });
    await connect(world, acme.as(olga), service.apiKey);
    olga.isOwner = false;
    service.revokeKey(service.apiKey);
    // What Slack says about people is cached for minutes.
    await world.restart();
    await replyTo(world, ann, 'types');
    expect(await ask(world, ann)).toContain(`We asked <@${admin.id}>.`);
  });

  it('asks where the admin last used the app if Slack refuses direct messages', async () => {
    const { world, acme, admin, ann, slack, ada } = await notConnected({ messagesTab: false });
    expect(await ask(world, ann)).toContain('couldn’t reach');
    await replyTo(world, admin, 'help');
    expect(await ask(world, ann)).toContain('We asked');
    const ephemeral = await slack.until(
      () => acme.ephemerals(admin).find((one) => textOfMessage(one).includes('asks you')),
      'the message',
    );
    await openFormFrom(world, ada, { ephemeral, text: 'Connect' }, 'API key');
  });

  it('can be asked again if Slack couldn’t deliver it', async () => {
    const { world } = await notConnected();
    const heal = world.slack.faults.add({ kind: 'http', method: 'chat.postMessage', status: 500 });
    expect(await ask(world, world.ann)).toMatch(/E-[0-9A-Z]{6}/);
    heal();
    expect(await ask(world, world.ann)).toContain('We asked');
  });
});

import { describe, expect, it } from 'vitest';
import type { Person } from '../stand-ins/slack/people/person.ts';
import type { User } from '../stand-ins/slack/state/model.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { install } from './browser.ts';
import { connect, note } from './connecting.ts';
import { openFilledForm, openFormFrom, pressUntil, submitUntil, untilSees } from './form.ts';
import { answerTo } from './links.ts';
import { startWorld, type World, type WorldOptions, worldAhead } from './world.ts';

const DAY_MS = 24 * 60 * 60_000;

const notConnected = (options: WorldOptions = {}) => worldAhead({ connected: false, ...options });

/** A workspace whose owner Olga connected a key. */
async function connectedByOlga() {
  const ahead = await notConnected();
  const { world, acme, service } = ahead;
  const olga = acme.addUser({ name: 'Olga', owner: true });
  await connect(world, acme.as(olga), service.apiKey);
  await acme.as(olga).close({ all: true });
  return { ...ahead, olga, revoke: () => service.revokeKey(service.apiKey) };
}

const answer = async (world: World, who: Person, typed: string) =>
  textOfMessage(await answerTo(world, who, typed));

async function ask(world: World, who: Person, button = 'Ask an admin') {
  const ephemeral = await answerTo(world, who, 'types');
  return textOfMessage(await answerTo(world, who, { ephemeral, text: button }));
}

const askedOf = ({ acme }: World, who: User) =>
  acme.directMessages(who).filter((message) => textOfMessage(message).includes('asks you'));

describe('where the workspace isn’t connected', () => {
  it.each(['types', 'brands', 'tags', 'status 5'])(
    '“%s” offers admins to connect it, and others to ask them',
    async (typed) => {
      const { world, ada, me } = await notConnected();
      expect(await answer(world, me, typed)).toContain('Ask an admin');
      const ephemeral = await answerTo(world, ada, typed);
      await openFormFrom(world, ada, { ephemeral, text: 'Connect' }, 'API key');
    },
  );

  it('an admin who is asked gets a message with a button that connects it', async () => {
    const { world, admin, ann, service, ada, me } = await notConnected();
    expect(await ask(world, me)).toContain(`We asked <@${admin.id}>`);
    const [message] = askedOf(world, admin);
    expect(message && textOfMessage(message)).toContain(`<@${ann.id}> asks you`);
    await openFormFrom(world, ada, { message, text: 'Connect' }, 'API key');
    await ada.fill({ 'API key': service.apiKey });
    await submitUntil(world, ada, 'Connected');
  });

  it('whoever installed the app is named', async () => {
    const { world, acme, admin, me } = await startWorld({ many: true });
    await install(world, acme, admin);
    expect(await answer(world, me, 'tags')).toContain(`Ask <@${admin.id}> to connect it`);

    // Now that Slack has said who that is, the form names them at once.
    await openFormFrom(world, me, 'Spring banner');
    expect(me.sees()).toContain(`Ask <@${admin.id}> to connect it`);
    await pressUntil(world, me, { text: 'Ask Ada Admin' }, `We asked <@${admin.id}>.`);
  });

  it('each person can ask once a day, and is told so', async () => {
    const { world, pass, acme, admin, general, me } = await notConnected();
    const bob = acme.addUser({ name: 'Bob' });
    general.members.add(bob.id);
    expect(await ask(world, me)).toContain('We asked');
    expect(await ask(world, me)).toContain('already asked today');
    await world.restart();
    expect(await ask(world, me)).toContain('already asked today');
    expect(askedOf(world, admin)).toHaveLength(1);
    expect(await ask(world, acme.as(bob))).toContain('We asked');
    pass(DAY_MS);
    expect(await ask(world, me)).toContain('We asked');
    expect(askedOf(world, admin)).toHaveLength(3);
  });

  it('asks where the admin last used the app if Slack refuses direct messages', async () => {
    const { world, acme, admin, slack, ada, me } = await notConnected({ messagesTab: false });
    expect(await ask(world, me)).toContain('couldn’t reach');
    await answerTo(world, ada, 'help');
    expect(await ask(world, me)).toContain('We asked');
    const ephemeral = await slack.until(
      () => acme.ephemerals(admin).find((one) => textOfMessage(one).includes('asks you')),
      'the message',
    );
    await openFormFrom(world, ada, { ephemeral, text: 'Connect' }, 'API key');
  });

  it('can be asked again if Slack couldn’t deliver it', async () => {
    const { world, slack, me } = await notConnected();
    const heal = slack.faults.add({ kind: 'http', method: 'chat.postMessage', status: 500 });
    expect(await ask(world, me)).toMatch(/E-[0-9A-Z]{6}/);
    heal();
    expect(await ask(world, me)).toContain('We asked');
  });
});

describe('where the key is rejected', () => {
  it('the admin who connected it is named and asked, and other admins are told that they can help', async () => {
    const { world, revoke, olga, admin, ada, me } = await connectedByOlga();
    revoke();
    expect(await answer(world, me, 'tags')).toContain(`Ask <@${olga.id}> to connect a new one`);
    expect(await answer(world, me, 'disconnect')).toContain(`Ask <@${olga.id}>.`);
    expect(await answer(world, ada, 'tags')).toContain('You can connect a new one');
    expect(await ask(world, me, 'Ask Olga')).toContain(`We asked <@${olga.id}>.`);
    expect(askedOf(world, admin)).toEqual([]);
    expect(askedOf(world, olga)).toHaveLength(1);
  });

  it('others are asked, and nobody is named, if the one who connected it is no admin any more', async () => {
    const { world, revoke, olga, admin, me } = await connectedByOlga();
    olga.isOwner = false;
    revoke();
    // What Slack says about people is cached for minutes.
    await world.restart();
    expect(await answer(world, me, 'tags')).toContain('Ask a workspace admin to connect a new one');
    expect(await answer(world, me, 'disconnect')).toContain('Ask one of them.');
    expect(await ask(world, me)).toContain(`We asked <@${admin.id}>.`);
  });

  it('the admin who connected it is named to the author of a request that waits, with a button', async () => {
    const { world, revoke, olga, me } = await connectedByOlga();
    await openFilledForm(world, me);
    revoke();
    await me.submit();
    const named = `we’ll send it once <@${olga.id}> connects a new one`;
    const message = await note(world, named);
    await untilSees(world, me, named);
    await pressUntil(world, me, { text: 'Ask Olga' }, `We asked <@${olga.id}>.`);
    await me.close({ all: true });
    const again = await answerTo(world, me, { message, text: 'Ask Olga' });
    expect(again.text).toContain('already asked today');
  });

  it('an admin who connected it, and whose own request waits, can connect another from its message', async () => {
    const { world, revoke, acme, olga } = await connectedByOlga();
    const author = acme.as(olga);
    await openFilledForm(world, author);
    revoke();
    await author.submit();
    const message = await note(world, 'we’ll send it once you connect a new one', olga);
    await author.close({ all: true });
    await openFormFrom(world, author, { message, text: 'Connect' }, 'API key');
  });
});

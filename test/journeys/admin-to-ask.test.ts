import { describe, expect, it } from 'vitest';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { install } from './browser.ts';
import { connect } from './connecting.ts';
import { openFilledForm, openFormFrom, pressUntil } from './form.ts';
import { answerTo, privateAnswer } from './links.ts';
import { startWorld, type World, type WorldOptions } from './world.ts';

/** A workspace whose admin Ada connected a key. */
async function startWithKey(options: WorldOptions = {}): Promise<World & { key: string }> {
  const { world, service, ada } = await startWorld({ connected: false, ...options });
  const key = service.issueKey();
  await connect(world, ada, key);
  await ada.close({ all: true });
  return { ...world, key };
}

async function startWithRevokedKey(): Promise<World> {
  const { world, key } = await startWithKey();
  world.service.revokeKey(key);
  return world;
}

const ask = async (world: World, typed: string, who = world.ann) =>
  (await answerTo(world, world.acme.as(who), typed)).text;

describe('where an admin can help', () => {
  it('the one who connected the key is named', async () => {
    const { world, admin } = await startWithRevokedKey();
    expect(await ask(world, 'tags')).toContain(`Ask <@${admin.id}> to connect a new one`);
    expect(await ask(world, 'disconnect')).toContain(`Ask <@${admin.id}>.`);
  });

  it('the one who connected the key is named to the author of a request that waits', async () => {
    const { world, key, acme, admin, ann, service, slack, me } = await startWithKey();
    await openFilledForm(world, me);
    service.revokeKey(key);
    await me.submit();
    const named = `we’ll send it once <@${admin.id}> connects a new one`;
    const note = await slack.until(() => acme.directMessages(ann)[0], 'the note');
    expect(JSON.stringify(note.blocks)).toContain(named);
    await slack.until(() => me.sees().includes(named), 'the same in the modal');
    // Both have a button, too.
    await pressUntil(world, me, { text: 'Ask Ada Admin' }, `We asked <@${admin.id}>.`);
    await me.close({ all: true });
    const again = () => me.click({ message: note, text: 'Ask Ada Admin' });
    expect((await privateAnswer(world, ann, again)).text).toContain('already asked today');
  });

  it('an admin whose own request waits can connect a key from its message', async () => {
    const { world, key, acme, admin, service, slack, ada } = await startWithKey();
    const me = ada;
    await openFilledForm(world, me);
    service.revokeKey(key);
    await me.submit();
    const words = 'we’ll send it once you connect a new one';
    const message = await slack.until(
      () => acme.directMessages(admin).find((one) => textOfMessage(one).includes(words)),
      'the message',
    );
    await me.close({ all: true });
    await openFormFrom(world, me, { message, text: 'Connect' }, 'API key');
  });

  it.each(['Refresh', 'Share in this channel'])('%s of a card names them, too', async (button) => {
    let ahead = 0;
    const clock = () => new Date(Date.now() + ahead);
    const { world, key, admin, service, me } = await startWithKey({ clock });
    const [{ id } = { id: '' }] = service.cards.all();
    const ephemeral = await answerTo(world, me, `status ${id}`);
    service.revokeKey(key);
    ahead = 60 * 60_000;
    const answer = await answerTo(world, me, { ephemeral, text: button });
    expect(answer.text).toContain(`Ask <@${admin.id}> to connect a new one`);
  });

  it('an admin is told that they can do it', async () => {
    const world = await startWithRevokedKey();
    const olga = world.acme.addUser({ name: 'Olga', owner: true });
    expect(await ask(world, 'tags', olga)).toContain('You can connect a new one');
  });

  it('nobody is named who isn’t an admin any more', async () => {
    const world = await startWithRevokedKey();
    world.admin.isAdmin = false;
    await world.restart();
    expect(await ask(world, 'tags')).toContain('Ask a workspace admin to connect a new one');
    expect(await ask(world, 'disconnect')).toContain('Ask one of them.');
  });

  it('whoever installed the app is named if nobody connected a key', async () => {
    const { world, acme, admin, me } = await startWorld({ many: true });
    await install(world, acme, admin);
    expect(await ask(world, 'tags')).toContain(`Ask <@${admin.id}> to connect it`);

    // Now that Slack has said who that is, the form names them at once.
    await openFormFrom(world, me, 'Spring banner');
    expect(me.sees()).toContain(`Ask <@${admin.id}> to connect it`);
    await pressUntil(world, me, { text: 'Ask Ada Admin' }, `We asked <@${admin.id}>.`);
  });
});

import { describe, expect, it } from 'vitest';
import { install } from './browser.ts';
import { connect } from './connecting.ts';
import { fillForm, openForm } from './form.ts';
import { privateAnswer } from './links.ts';
import { startWorld, type World } from './world.ts';

/** A workspace whose admin Ada connected a key. */
async function startWithKey(): Promise<{ world: World; key: string }> {
  const world = await startWorld({ connected: false });
  const { acme, admin, service } = world;
  const key = service.issueKey();
  await connect(world, acme.as(admin), key);
  await acme.as(admin).close({ all: true });
  return { world, key };
}

async function startWithRevokedKey(): Promise<World> {
  const { world, key } = await startWithKey();
  world.service.revokeKey(key);
  return world;
}

const ask = async (world: World, typed: string, who = world.ann) =>
  (await privateAnswer(world, who, () => world.acme.as(who).command(world.general, typed))).text;

describe('where an admin can help', () => {
  it('the one who connected the key is named', async () => {
    const world = await startWithRevokedKey();
    const { admin } = world;
    expect(await ask(world, 'tags')).toContain(`Ask <@${admin.id}> to connect a new one`);
    expect(await ask(world, 'disconnect')).toContain(`Ask <@${admin.id}>.`);
  });

  it('the one who connected the key is named to the author of a request that waits', async () => {
    const { world, key } = await startWithKey();
    const { acme, admin, ann, service, slack } = world;
    const me = acme.as(ann);
    await openForm(world, me);
    await fillForm(world, me);
    service.revokeKey(key);
    await me.submit();
    const named = `Ask <@${admin.id}> to connect a new one`;
    const note = await slack.until(() => acme.directMessages(ann)[0], 'the note');
    expect(JSON.stringify(note.blocks)).toContain(named);
    await slack.until(() => me.sees().includes(named), 'the same in the modal');
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
    const world = await startWorld({ many: true });
    const { acme, admin } = world;
    await install(world, acme, admin);
    expect(await ask(world, 'tags')).toContain(`Ask <@${admin.id}> to connect it`);
  });
});

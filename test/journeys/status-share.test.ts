import { describe, expect } from 'vitest';
import type { Channel, Ephemeral } from '../stand-ins/slack/state/model.ts';
import { changeSettings, privateAnswer, SHARE_EXTERNALLY, shareWithGlobex } from './links.ts';
import { it, startWorld, type World } from './world.ts';

/** A card's status as only Ann sees it in a channel. */
async function statusIn(world: World, channel: Channel): Promise<Ephemeral> {
  const { ann, service, me } = world;
  const { id } = service.cards.add({ title: 'Autumn poster' });
  service.cards.addFile(id, { name: 'poster.png' });
  return privateAnswer(world, ann, () => me.command(channel, `status ${id}`));
}

const share = ({ me }: World, ephemeral: Ephemeral) =>
  me.click({ ephemeral, text: 'Share in this channel' });

async function refusalToShare(world: World, channel: Channel): Promise<string> {
  const ephemeral = await statusIn(world, channel);
  const { text } = await privateAnswer(world, world.ann, () => share(world, ephemeral));
  expect(world.acme.messages(channel)).toEqual([]);
  return text;
}

describe('Share', () => {
  it('is refused in a channel shared with another company, until an admin allows it', async () => {
    const { world, acme, slack } = await startWorld();
    const { shared } = shareWithGlobex(world);
    shared.members.add(acme.botUserId);
    expect(await refusalToShare(world, shared)).toContain('shared with another company');
    await changeSettings(world, { 'Guests and other companies': [SHARE_EXTERNALLY] });
    await share(world, await statusIn(world, shared));
    await slack.until(() => acme.messages(shared)[0], 'the shared card');
  });

  it('posts in the direct messages with the app', async ({ world, acme, ann, slack }) => {
    const members = [ann];
    const direct = acme.addChannel({ name: '', kind: 'im', members, botIsMember: true });
    await share(world, await statusIn(world, direct));
    await slack.until(() => acme.messages(direct)[0], 'the shared card');
  });

  it('explains what to do in a conversation that the app isn’t in', async ({
    world,
    acme,
    ann,
  }) => {
    const channel = acme.addChannel({ name: 'plans', kind: 'private', members: [ann] });
    expect(await refusalToShare(world, channel)).toContain('/invite');
  });

  it('says that nobody may post there', async ({ world, acme, ann }) => {
    const channel = acme.addChannel({ name: 'news', readOnly: true, members: [ann] });
    expect(await refusalToShare(world, channel)).toContain('can’t post');
  });

  it('says that the card no longer exists', async () => {
    const { world, acme, ann, general, service } = await startWorld();
    const ephemeral = await statusIn(world, general);
    // A card is cached for a minute, but only in memory.
    await world.restart();
    service.faults.add({ operation: 'getCard', kind: 'status', status: 404 });
    const { text } = await privateAnswer(world, ann, () => share(world, ephemeral));
    expect(text).toContain('Couldn’t find this card any more');
    expect(acme.messages(general)).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import type { Person } from '../stand-ins/slack/people/person.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { connect } from './connecting.ts';
import { fillForm, openForm } from './form.ts';
import { jobsHandled } from './links.ts';
import { startWorld, type World } from './world.ts';

const messages = ({ acme, ann }: World) => acme.directMessages(ann);
const texts = (world: World) => messages(world).map(textOfMessage);

/** Resolves to the message with these words, once there is one. */
const message = (world: World, words: string) =>
  world.slack.until(
    () => messages(world).find((one) => textOfMessage(one).includes(words)),
    `a message with “${words}”`,
  );

/** A request whose key was revoked while its form was open. */
async function waitingRequest(): Promise<{ world: World; me: Person }> {
  const world = await startWorld();
  const { acme, ann, service } = world;
  const me = acme.as(ann);
  await openForm(world, me);
  await fillForm(world, me);
  service.revokeKey(service.apiKey);
  await me.submit();
  await message(world, 'Your request is saved');
  return { world, me };
}

const asks = expect.stringContaining('Finish your request');

/** Connects a key of an account where the request's type means something else, so that its author is asked. */
async function askAuthor(world: World): Promise<void> {
  const { acme, admin, service } = world;
  const [social] = service.referenceLists.requestTypes.filter(({ id }) => id === 'type-social');
  if (social) social.name = 'Vehicle wraps';
  await connect(world, acme.as(admin), service.issueKey());
  await message(world, 'Finish your request');
  await jobsHandled(world, 'announce-request');
}

describe('the author of a waiting request, who has to finish it,', () => {
  it('is asked in a new message, since Slack notifies nobody of a changed one', async () => {
    const { world } = await waitingRequest();
    const [waiting] = messages(world);
    await askAuthor(world);
    expect(texts(world)).toEqual([asks]);
    expect(messages(world)[0]?.ts).not.toBe(waiting?.ts);
  });

  it('is asked no more often if the earlier message can’t be deleted', async () => {
    const { world } = await waitingRequest();
    world.slack.faults.add({ method: 'chat.delete', kind: 'error', error: 'internal_error' });
    await askAuthor(world);
    expect(texts(world)).toEqual([asks, asks]);
  });

  it('is asked in the earlier message if Slack refuses another', async () => {
    const { world, me } = await waitingRequest();
    const [waiting] = messages(world);
    const error = 'messages_tab_disabled';
    world.slack.faults.add({ method: 'chat.postMessage', kind: 'error', error });
    await askAuthor(world);
    expect(messages(world).map(({ ts }) => ts)).toEqual([waiting?.ts]);
    await me.close({ all: true });
    await me.click({ message: await message(world, 'Finish your request'), text: 'Discard' });
    await message(world, 'Discarded');
    expect(messages(world)).toHaveLength(1);
  });
});

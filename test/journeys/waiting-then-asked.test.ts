import { describe, expect, it } from 'vitest';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { connect, note, waitingRequest } from './connecting.ts';
import { jobsHandled } from './links.ts';
import type { World } from './world.ts';

const messages = ({ acme, ann }: World) => acme.directMessages(ann);
const texts = (world: World) => messages(world).map(textOfMessage);

const asks = expect.stringContaining('Finish your request');

/** Connects a key of an account where the request's type means something else, so that its author is asked. */
async function askAuthor(world: World): Promise<void> {
  const { acme, admin, service } = world;
  const [social] = service.referenceLists.requestTypes.filter(({ id }) => id === 'type-social');
  if (social) social.name = 'Vehicle wraps';
  await connect(world, acme.as(admin), service.issueKey());
  await note(world, 'Finish your request');
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
    await me.click({ message: await note(world, 'Finish your request'), text: 'Discard' });
    await note(world, 'Discarded');
    expect(messages(world)).toHaveLength(1);
  });
});

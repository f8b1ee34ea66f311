import { describe, expect, it } from 'vitest';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { disconnect } from './connecting.ts';
import { eventsHandled, eventsResting, shown, slackCalls } from './links.ts';
import { timedWorld } from './watching.ts';

/** Minutes until the app gives up on a card that it can't read. */
const UNTIL_GIVEN_UP = [5, 10, 20, 20, 10, 10];

describe('a message with two links, of which the service can’t show one for now', () => {
  async function halfShown() {
    const timed = await timedWorld({ transport: 'socket' });
    const { world, service, later, general, cardUrl, me } = timed;
    const [one = '', two = ''] = [1, 2].map((n) => service.cards.add({ title: `Poster ${n}` }).id);
    const heal = service.faults.add({ operation: 'getCard', cardId: two, kind: 'html' });
    const message = await me.post(general, `${cardUrl(one)} ${cardUrl(two)}`);
    await eventsResting(world);
    expect(message.attachments).toEqual([]);
    for (const minutes of [1.1, 1.1]) await later(minutes);
    await shown(world, message, 1);
    expect(textOfMessage(message)).toContain('Poster 1');
    const refuse = () => {
      heal();
      service.faults.add({ operation: 'getCard', cardId: two, kind: 'status', status: 404 });
    };
    return { ...timed, heal, refuse, message };
  }

  it('shows the other after a minute, and both once it can, also after a restart', async () => {
    const { world, later, heal, message } = await halfShown();
    await later(5);
    expect(slackCalls(world, 'chat.unfurl')).toHaveLength(1);
    await world.restart();
    heal();
    for (const minutes of [5, 5, 5]) await later(minutes);
    await eventsHandled(world);
    expect(message.attachments).toHaveLength(2);
    expect(textOfMessage(message)).toContain('Poster 2');
  });

  it.each<[string, (half: Awaited<ReturnType<typeof halfShown>>) => unknown]>([
    ['it is deleted', ({ refuse }) => refuse()],
    ['it can’t be read for an hour', () => {}],
    ['the key is removed', ({ world }) => disconnect(world)],
  ])('keeps the other when %s', async (_what, happens) => {
    const half = await halfShown();
    await happens(half);
    for (const minutes of UNTIL_GIVEN_UP) await half.later(minutes);
    await eventsHandled(half.world);
    expect(half.message.attachments).toHaveLength(1);
    expect(textOfMessage(half.message)).toContain('Poster 1');
  });
});

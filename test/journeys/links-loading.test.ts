import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { databaseOf } from './database-rows.ts';
import { eventsHandled, eventsResting, shown } from './links.ts';
import { timedWorld } from './watching.ts';
import type { World } from './world.ts';

/** Minutes until the app gives up on a card that it can't read. */
const UNTIL_GIVEN_UP = [5, 10, 20, 20, 10, 10];

async function disconnect({ acme, admin, general, slack }: World): Promise<void> {
  const ada = acme.as(admin);
  await ada.command(general, 'disconnect');
  const question = await slack.until(() => acme.ephemerals(admin).at(-1), 'the question');
  await ada.click({ ephemeral: question, actionId: 'disconnect' });
}

describe('a link that was shown as loading doesn’t stay so', () => {
  /** Two links, to cards of which the service can't show some for now. */
  async function loading({ unread = [1, 2] } = {}) {
    const timed = await timedWorld({ transport: 'socket' });
    const { world, acme, ann, service, later, general, cardUrl } = timed;
    const ids = [1, 2].map((n) => service.cards.add({ title: `Poster ${n}` }).id);
    const [one = '', two = ''] = ids;
    const [healOne, healTwo] = ids.map((cardId, index) =>
      unread.includes(index + 1)
        ? service.faults.add({ operation: 'getCard', cardId, kind: 'html' })
        : undefined,
    );
    const message = await acme.as(ann).post(general, `${cardUrl(one)} ${cardUrl(two)}`);
    await eventsResting(world);
    for (const minutes of [1.1, 1.1]) await later(minutes);
    await shown(world, message, 2);
    expect(textOfMessage(message)).toContain('Loading details…');
    const refuseOne = (status: number) => {
      healOne?.();
      service.faults.add({ operation: 'getCard', cardId: one, kind: 'status', status });
    };
    return { ...timed, refuseOne, healTwo: healTwo ?? (() => {}), message };
  }

  it('when the service then refuses the call', async () => {
    const { world, later, refuseOne, healTwo, message } = await loading();
    refuseOne(400);
    healTwo();
    for (const minutes of [3, 5, 5]) await later(minutes);
    await eventsHandled(world);
    expect(textOfMessage(message)).toContain('Poster 2');
    expect(textOfMessage(message)).toContain('Couldn’t find this card');
    expect(textOfMessage(message)).not.toContain('Loading details…');
  });

  it('when its card was deleted, and the other can’t be read for an hour', async () => {
    const { world, later, refuseOne, message } = await loading();
    refuseOne(404);
    for (const minutes of UNTIL_GIVEN_UP) await later(minutes);
    await eventsHandled(world);
    expect(textOfMessage(message)).toContain('Couldn’t load the details');
    expect(textOfMessage(message)).toContain('Couldn’t find this card');
    expect(textOfMessage(message)).not.toContain('Loading details…');
  });

  it('when the database could not store at first that it is loading', async () => {
    const { world, acme, ann, service, later, general, cardUrl } = await timedWorld({
      transport: 'socket',
    });
    const db = databaseOf(world);
    const { id } = service.cards.add({ title: 'Poster' });
    const heal = service.faults.add({ operation: 'getCard', cardId: id, kind: 'html' });
    const refusing = sql`create trigger refusing before insert on entries when new.kind = 'loading_link' begin select raise(abort, 'full'); end`;
    await refusing.execute(db);
    const message = await acme.as(ann).post(general, cardUrl(id));
    await eventsResting(world);
    for (const minutes of [1.1, 1.1]) await later(minutes);
    await eventsResting(world);
    await sql`drop trigger refusing`.execute(db);
    await later(5);
    await shown(world, message, 1);
    expect(textOfMessage(message)).toContain('Loading details…');
    heal();
    service.faults.add({ operation: 'getCard', cardId: id, kind: 'status', status: 404 });
    for (const minutes of [5, 5, 10]) await later(minutes);
    await eventsHandled(world);
    expect(textOfMessage(message)).toContain('Couldn’t find this card');
  });

  it('when the key is removed', async () => {
    const { world, later, message } = await loading();
    await disconnect(world);
    for (const minutes of UNTIL_GIVEN_UP) await later(minutes);
    await eventsHandled(world);
    expect(textOfMessage(message).match(/Couldn’t load the details/g)).toHaveLength(2);
    expect(textOfMessage(message)).not.toContain('Loading details…');
  });

  it.each([400, 404])(
    'when the service refuses it with %d after the app was restarted',
    async (status) => {
      const { world, later, refuseOne, healTwo, message } = await loading();
      await world.restart();
      refuseOne(status);
      healTwo();
      for (const minutes of [3, 5, 5]) await later(minutes);
      await eventsHandled(world);
      expect(textOfMessage(message)).toContain('Poster 2');
      expect(textOfMessage(message)).toContain('Couldn’t find this card');
      expect(textOfMessage(message)).not.toContain('Loading details…');
      const left = databaseOf(world).selectFrom('entries').where('kind', '=', 'loading_link');
      expect(await left.selectAll().execute()).toEqual([]);
    },
  );

  it('when the key is removed and the app restarted', async () => {
    const { world, later, message } = await loading();
    await disconnect(world);
    await world.restart();
    for (const minutes of UNTIL_GIVEN_UP) await later(minutes);
    await eventsHandled(world);
    expect(textOfMessage(message).match(/Couldn’t load the details/g)).toHaveLength(2);
    expect(textOfMessage(message)).not.toContain('Loading details…');
  });

  it('and the other keeps its card, when the key is removed', async () => {
    const { world, later, message } = await loading({ unread: [2] });
    expect(textOfMessage(message)).toContain('Poster 1');
    await disconnect(world);
    for (const minutes of UNTIL_GIVEN_UP) await later(minutes);
    await eventsHandled(world);
    expect(textOfMessage(message)).toContain('Poster 1');
    expect(textOfMessage(message).match(/Couldn’t load the details/g)).toHaveLength(1);
    expect(textOfMessage(message)).not.toContain('Loading details…');
  });
});

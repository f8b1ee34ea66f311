import { expect } from 'vitest';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import { pressUntil } from './form.ts';
import { postShown } from './links.ts';
import { it, startWorld, type World, worldAhead } from './world.ts';

function poster({ service, cardUrl }: World) {
  const { id } = service.cards.add({
    title: 'Autumn poster',
    description: '<p>For the windows</p>',
    dimensions: 'A2: 420 × 594 mm',
    status: STATUSES.toDo,
  });
  service.cards.addFile(id, { name: 'poster.png' });
  return cardUrl(id);
}

it('Show all shows the whole card in a modal, to nobody else', async () => {
  const { world, acme, ann, general, ada, me } = await startWorld();
  const message = await postShown(world, me, poster(world));
  const before = JSON.stringify(acme.messages(general));
  await pressUntil(world, ada, { message, text: 'Show all' }, 'For the windows');
  for (const fact of ['Autumn poster', 'To do', 'A2: 420 × 594 mm']) {
    expect(ada.sees()).toContain(fact);
  }
  expect(JSON.stringify(ada.currentView()?.view)).toContain('poster.png');
  expect(JSON.stringify(acme.messages(general))).toBe(before);
  expect(acme.ephemerals(ann)).toEqual([]);
});

it('Show all leaves out a picture that Slack can’t fetch', async ({ world, slack, me }) => {
  const message = await postShown(world, me, poster(world));
  slack.brokenImages.add('*');
  await pressUntil(world, me, { message, text: 'Show all' }, 'For the windows');
  expect(JSON.stringify(me.currentView()?.view)).not.toContain('image_url');
  expect(me.sees()).toContain('Delivered');
});

it.each([
  [{ kind: 'status' as const, status: 404 }, 'Couldn’t find this card any more'],
  [{ kind: 'unauthorized' as const }, 'no longer accepts'],
])('Show all says what is wrong: %o', async (fault, words) => {
  const { world, pass, service, me } = await worldAhead();
  const message = await postShown(world, me, poster(world));
  pass(10 * 60_000);
  service.faults.add({ operation: 'getCard', ...fault });
  await pressUntil(world, me, { message, text: 'Show all' }, words);
});

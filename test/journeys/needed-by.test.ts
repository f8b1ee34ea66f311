import { expect } from 'vitest';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import { textOfMessage, textOfPane } from '../stand-ins/slack/views/shown-text.ts';
import { homeOf, openHome, sentRequest } from './form.ts';
import { answerTo, changeSettings, postShown } from './links.ts';
import { repliesTo, withRequest } from './watching.ts';
import { openPane, postWorkObjects, SETTING, worldWithWorkObjects } from './work-objects.ts';
import { it, startWorld } from './world.ts';

const DAY = { 'Needed by': '2099-12-31' };
const WORDS = 'needed by 31 Dec 2099';

it('when a request is needed is shown wherever due dates are, until the service has one', async () => {
  const timed = await withRequest(DAY);
  const { world, cardId, confirmation, cardUrl, me, changed } = timed;
  const said = async (words: string) => {
    const answer = await answerTo(world, me, words);
    return textOfMessage(answer);
  };
  const home = async () => {
    await openHome(world, me, 'Spring banner');
    return homeOf(me);
  };
  const preview = textOfMessage(await postShown(world, me, cardUrl(cardId)));
  for (const shown of [
    textOfMessage(confirmation),
    confirmation.text,
    preview,
    await home(),
    await said('list'),
    await said(`status ${cardId}`),
  ]) {
    expect(shown).toContain(WORDS);
  }
  await changed(cardId, { dueDate: new Date('2099-12-24T10:00:00Z') });
  const [change] = repliesTo(world, confirmation);
  expect(change?.text).toContain('due 24 Dec 2099');
  for (const shown of [textOfMessage(confirmation), await said(`status ${cardId}`)]) {
    expect(shown).toContain('due 24 Dec 2099');
    expect(shown).not.toContain('needed by');
  }
  await changed(cardId, { dueDate: null });
  expect(repliesTo(world, confirmation).at(-1)?.text).toContain('no due date any more');
  expect(textOfMessage(confirmation)).toContain(WORDS);
});

it('when a request is needed is shown although its card can’t be read', async () => {
  const { world, service, me } = await startWorld();
  service.faults.add({ operation: 'getCard', kind: 'status', status: 403 });
  const confirmation = await sentRequest(world, me, DAY);
  expect(textOfMessage(confirmation)).toContain(WORDS);
  const list = await answerTo(world, me, 'list');
  expect(textOfMessage(list)).toContain(WORDS);
});

it('when a request is needed is in large previews, Work Objects, and the pane', async () => {
  const { world, service, cardUrl, me } = await worldWithWorkObjects();
  const { id } = service.cards.add({
    title: 'Autumn poster',
    description: '<p>For the sale</p><p>Needed by Thu, 31 Dec 2099</p>',
    status: STATUSES.toDo,
  });
  const message = await postWorkObjects(world, me, cardUrl(id));
  const field = { label: 'Needed by', type: 'slack#/types/date', value: '2099-12-31' };
  const pane = await openPane(world, me, { message });
  for (const entity of [message.entities[0]?.entity, pane.entity]) {
    expect(entity).toMatchObject({ entity_payload: { fields: { due_date: field } } });
  }
  expect(textOfPane(pane)).toContain('Needed by');
  await changeSettings(world, { [SETTING]: 'Off', 'Card links': 'Large preview' });
  const large = await postShown(world, me, cardUrl(id));
  expect(textOfMessage(large)).toContain('*Needed by*\n31 Dec 2099');
});

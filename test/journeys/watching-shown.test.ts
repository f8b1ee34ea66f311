import { describe, expect, it } from 'vitest';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { changeSettings, postShown, privateAnswer } from './links.ts';
import { A_SECOND, previewed, repliesTo, sharedCard, timedWorld } from './watching.ts';
import { openPane, postWorkObjects, SETTING } from './work-objects.ts';

it('a message with two spellings of a link to a watched card keeps both previews current', async () => {
  const { world, acme, admin, service, later, id, cardUrl } = await previewed();
  const text = `${cardUrl(id)} and ${cardUrl(id)}?from=mail`;
  const message = await postShown(world, acme.as(admin), text, { cards: 2 });
  await privateAnswer(world, admin, () => acme.as(admin).click({ message, text: 'Watch' }));
  service.cards.update(id, { status: STATUSES.inReview });
  await later(3);
  const shown = message.attachments.map((one) => JSON.stringify(one).includes('In review'));
  expect(shown).toEqual([true, true]);
});

it('a shared card stays current when Work Objects are turned off, although someone pressed Watch in its pane', async () => {
  const { world, acme, ann, service, slack, later, id, message } = await sharedCard({
    isWatched: true,
    workObjects: true,
  });
  const me = acme.as(ann);
  await me.click({ pane: await openPane(world, me, { message }), text: 'Watch' });
  await slack.until(() => me.sees().includes('You’re watching'), 'the answer');
  await later(1);
  await changeSettings(world, { [SETTING]: 'Off' });
  service.cards.update(id, { status: STATUSES.inReview });
  for (const minutes of [3, 1]) await later(minutes);
  expect(JSON.stringify(message.blocks)).toContain('In review');
  expect(JSON.stringify(message.blocks)).toContain(`Shared by <@${ann.id}>`);
});

it('a Work Object under a link is current although another process noticed a change in the second it was posted', async () => {
  const timed = await timedWorld();
  const { world, acme, admin, ann, service, slack, later, cardUrl, noticedElsewhere } = timed;
  await changeSettings(world, { [SETTING]: 'On' });
  const { id } = service.cards.add({ title: 'Autumn poster', status: STATUSES.toDo });
  const first = await postWorkObjects(world, acme.as(admin), cardUrl(id));
  await acme.as(ann).click({ message: first, text: 'Watch' });
  await slack.until(() => acme.directMessages(ann)[0], 'the answer');
  await later(0.5);
  service.cards.update(id, { status: STATUSES.inReview });
  await noticedElsewhere(id);
  const message = await postWorkObjects(world, acme.as(admin), `look: ${cardUrl(id)}`);
  await later(0);
  expect(JSON.stringify(message.entities)).toContain('To do');
  await later(A_SECOND);
  expect(JSON.stringify(message.entities)).toContain('In review');
});

it('a Work Object under a link is current although someone’s Refresh found a change in the second it was posted', async () => {
  const { world, acme, admin, ann, general, service, slack, exactly, cardUrl } = await timedWorld();
  await changeSettings(world, { [SETTING]: 'On' });
  const { id } = service.cards.add({ title: 'Autumn poster', status: STATUSES.toDo });
  const first = await postWorkObjects(world, acme.as(admin), cardUrl(id));
  await acme.as(ann).click({ message: first, text: 'Watch' });
  await slack.until(() => acme.directMessages(ann)[0], 'the answer');
  await exactly(0.5);
  const me = acme.as(ann);
  const status = await privateAnswer(world, ann, () => me.command(general, `status ${id}`));
  service.cards.update(id, { status: STATUSES.inReview });
  const message = await postWorkObjects(world, acme.as(admin), `look: ${cardUrl(id)}`);
  await me.click({ ephemeral: status, text: 'Refresh' });
  await slack.until(() => repliesTo(world, first)[0], 'the change');
  await exactly(0);
  expect(JSON.stringify(message.entities)).toContain('To do');
  await exactly(A_SECOND);
  expect(JSON.stringify(message.entities)).toContain('In review');
});

describe('a large preview of a watched card', () => {
  it.each([
    ['sizes', { dimensions: 'A3' }, 'A3'],
    ['file formats', { fileFormats: 'TIFF' }, 'TIFF'],
    ['software', { software: 'Figma' }, 'Figma'],
    ['labels', { labels: ['Urgent'] }, 'Urgent'],
    ['tags', { tags: ['Frosty'] }, 'Frosty'],
  ])('shows changed %s, about which nobody is told', async (_what, change, words) => {
    const { world, acme, admin, ann, service, later, cardUrl } = await timedWorld();
    await changeSettings(world, { 'Card links': 'Large preview' });
    const { id } = service.cards.add({ title: 'Autumn poster', status: STATUSES.toDo });
    const message = await postShown(world, acme.as(admin), cardUrl(id));
    await privateAnswer(world, ann, () => acme.as(ann).click({ message, text: 'Watch' }));
    await later(1);
    service.cards.update(id, change);
    await later(3);
    expect(textOfMessage(message)).toContain(words);
    expect(repliesTo(world, message)).toEqual([]);
  });
});

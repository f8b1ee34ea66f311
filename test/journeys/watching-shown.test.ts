import { expect, it } from 'vitest';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import type { StoredCard } from '../stand-ins/design-service/resources.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { answerTo, changeSettings, postShown } from './links.ts';
import { A_SECOND, previewed, repliesTo, sharedCard, timedWorld, watchInPane } from './watching.ts';
import { postWorkObjects, SETTING } from './work-objects.ts';

it('a message with two spellings of a link to a watched card keeps both previews current', async () => {
  const { world, id, cardUrl, ada, changed } = await previewed();
  const text = `${cardUrl(id)} and ${cardUrl(id)}?from=mail`;
  const message = await postShown(world, ada, text, { cards: 2 });
  await answerTo(world, ada, { message, text: 'Watch' });
  await changed(id, { status: STATUSES.inReview });
  const shown = message.attachments.map((one) => JSON.stringify(one).includes('In review'));
  expect(shown).toEqual([true, true]);
});

it('a shared card stays current when Work Objects are turned off, although someone pressed Watch in its pane', async () => {
  const { world, ann, later, id, message, me, changed } = await sharedCard({
    isWatched: true,
    workObjects: true,
  });
  await watchInPane(world, me, message);
  await later(1);
  await changeSettings(world, { [SETTING]: 'Off' });
  await changed(id, { status: STATUSES.inReview }, 3, 1);
  expect(JSON.stringify(message.blocks)).toContain('In review');
  expect(JSON.stringify(message.blocks)).toContain(`Shared by <@${ann.id}>`);
});

it('a Work Object under a link is current although another process noticed a change in the second it was posted', async () => {
  const timed = await timedWorld();
  const { world, acme, ann, service, slack, posted, later, cardUrl, noticedElsewhere } = timed;
  const { me, ada } = world;
  const { id, message: first } = await posted(ada, { workObjects: true });
  await me.click({ message: first, text: 'Watch' });
  await slack.until(() => acme.directMessages(ann)[0], 'the answer');
  await later(0.5);
  service.cards.update(id, { status: STATUSES.inReview });
  await noticedElsewhere(id);
  const message = await postWorkObjects(world, ada, `look: ${cardUrl(id)}`);
  await later(0);
  expect(JSON.stringify(message.entities)).toContain('To do');
  await later(A_SECOND);
  expect(JSON.stringify(message.entities)).toContain('In review');
});

it('a Work Object under a link is current although someone’s Refresh found a change in the second it was posted', async () => {
  const { world, acme, ann, service, slack, posted, exactly, cardUrl, me, ada } =
    await timedWorld();
  const { id, message: first } = await posted(ada, { workObjects: true });
  await me.click({ message: first, text: 'Watch' });
  await slack.until(() => acme.directMessages(ann)[0], 'the answer');
  await exactly(0.5);
  const status = await answerTo(world, me, `status ${id}`);
  service.cards.update(id, { status: STATUSES.inReview });
  const message = await postWorkObjects(world, ada, `look: ${cardUrl(id)}`);
  await me.click({ ephemeral: status, text: 'Refresh' });
  await slack.until(() => repliesTo(world, first)[0], 'the change');
  await exactly(0);
  expect(JSON.stringify(message.entities)).toContain('To do');
  await exactly(A_SECOND);
  expect(JSON.stringify(message.entities)).toContain('In review');
});

it('a large preview of a watched card shows whatever changes, about which nobody is told', async () => {
  const { world, posted, later, me, ada, changed } = await timedWorld();
  await changeSettings(world, { 'Card links': 'Large preview' });
  const { id, message } = await posted(ada);
  await answerTo(world, me, { message, text: 'Watch' });
  await later(1);
  const changes: Record<string, Partial<StoredCard>> = {
    A3: { dimensions: 'A3' },
    TIFF: { fileFormats: 'TIFF' },
    Figma: { software: 'Figma' },
    Urgent: { labels: ['Urgent'] },
    Frosty: { tags: ['Frosty'] },
    'Winter poster': { title: 'Winter poster' },
  };
  for (const [words, change] of Object.entries(changes)) {
    await changed(id, change);
    expect(textOfMessage(message)).toContain(words);
  }
  expect(repliesTo(world, message)).toEqual([]);
});

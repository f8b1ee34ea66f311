import { describe, expect, it } from 'vitest';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { changeSettings, postShown, privateAnswer } from './links.ts';
import { repliesTo, timedWorld } from './watching.ts';

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

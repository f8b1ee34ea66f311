import { describe, expect, it } from 'vitest';
import type { Card } from '../../../src/service/operations/card.ts';
import { buildCardBlocks } from '../../../src/slack/card/card-blocks.ts';
import { titleOf } from '../../../src/slack/card/card-text.ts';
import type { CardDetail } from '../../../src/slack/card/card-view.ts';
import { autumnPoster as card } from '../../service/blank-card.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const URL = 'https://app.example.com/card/1';
const blocksOf = (
  fields: Partial<Card>,
  { detail = 'large', url = URL }: { detail?: CardDetail; url?: string } = {},
) => buildCardBlocks({ card: card(fields), url, detail, shownAt: NOW });

const picture = (
  name: string,
  urls: Card['files'][number]['urls'] = { full: `https://f/${name}` },
) => ({
  name,
  ext: name.split('.').at(-1) ?? '',
  urls,
});
const imageOf = (files: Card['files']) =>
  blocksOf({ files }).find((block) => block.type === 'image');

describe('the title', () => {
  it.each([
    ['Autumn\n  poster ', 'Autumn poster'],
    ['\u200b \u00ad', 'Card 1'],
  ])('%j reads %j', (title, read) => {
    expect(titleOf(card({ title }))).toBe(read);
  });

  it('is shortened if it is long', () => {
    const title = titleOf(card({ title: 'x'.repeat(10_000) }));
    expect(title).toHaveLength(200);
    expect(title.endsWith('…')).toBe(true);
  });

  it('is not a link if the URL alone would fill the message', () => {
    const url = `${URL}?${'x'.repeat(2_500)}`;
    expect(JSON.stringify(blocksOf({}, { url })[0])).not.toContain(url);
    expect(JSON.stringify(blocksOf({}, { url })[0])).toContain('*Autumn poster*');
  });
});

describe('the description', () => {
  it.each([
    ['<h2>Spring sale</h2><p>Three banners</p>', '*Spring sale* Three banners'],
    ['<ol><li>Cover<ul><li>Logo</li><li>Date</li></ul></li></ol>', '1. Cover ◦ Logo ◦ Date'],
    ['<p>Fresh.</p><p>Requested in Slack by Ann · DR-2DPXX9VK</p>', 'Fresh.'],
    [`<p>${'word '.repeat(50)}</p>`, `${'word '.repeat(15)}word…`],
  ])('%s is one line of a small preview', (descriptionHtml, line) => {
    const [first] = blocksOf({ descriptionHtml }, { detail: 'small' });
    const text = first && 'text' in first ? JSON.stringify(first.text) : '';
    expect(text).toContain(`${JSON.stringify(`|Autumn poster>*\n${line}`).slice(1, -1)}"`);
  });
});

describe('the picture', () => {
  it('is requested in a size that Slack shows well, if its URL is short enough', () => {
    const [full, large, medium] = ['https://f/full', 'https://f/large', 'https://f/medium'];
    const long = `https://f/${'x'.repeat(3_000)}`;
    expect(imageOf([picture('a.png', { full, large, medium })])).toMatchObject({
      image_url: large,
    });
    expect(imageOf([picture('a.png', { full, large: long, medium })])).toMatchObject({
      image_url: medium,
    });
    expect(imageOf([picture('a.png', { full: long })])).toBeUndefined();
  });

  it.each(['a.svg', 'a'])('is not %s, which Slack can’t show', (name) => {
    expect(imageOf([picture(name)])).toBeUndefined();
  });
});

const entriesOf = (fields: Partial<Card>) => {
  const elements = blocksOf(fields).flatMap((block) =>
    block.type === 'actions' ? block.elements : [],
  );
  return elements.map((element) =>
    element.type === 'overflow'
      ? element.options.map(({ value }) => value?.split(':')[0])
      : 'action_id' in element && element.action_id,
  );
};
const MENU = ['card-refresh', 'card-watch', 'card-request-again', 'card-show-all'];

it('the button and the menu leave out what has no room for the card’s ID', () => {
  expect(entriesOf({ id: 'x'.repeat(56) })).toEqual(['card-open', MENU]);
  const some = ['card-open', ['card-watch', 'card-show-all']];
  expect(entriesOf({ id: 'x'.repeat(57) })).toEqual(some);
  expect(entriesOf({ id: 'x'.repeat(76) })).toEqual(['card-open']);
});

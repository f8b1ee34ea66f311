import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCardLinks, MAX_CARD_LINK_CHARS } from '../src/references.ts';
import { anyCharacter, anyUrl } from './any-text.ts';

const PATH = 'https://app.example.com/card/{id}';
const QUERY = 'https://app.example.com/board?view=card&id={id}';

test.each([
  [PATH, 'https://app.example.com/card/c1', 'c1'],
  [PATH, 'https://APP.Example.com/card/c1', 'c1'],
  [PATH, 'http://app.example.com/card/c1', 'c1'],
  [PATH, 'https://app.example.com/card/c1/', 'c1'],
  [PATH, 'https://app.example.com/card/c1?tab=files&x=1', 'c1'],
  [PATH, 'https://app.example.com/card/a%20b%C3%A9', 'a bé'],
  [PATH, 'https://app.example.com/card/c1/files', undefined],
  [PATH, 'https://app.example.com/card/', undefined],
  [PATH, 'https://app.example.com/cards/c1', undefined],
  [PATH, 'https://app.example.com.evil.test/card/c1', undefined],
  [PATH, 'https://app.example.com@evil.test/card/c1', undefined],
  [PATH, 'https://someone@app.example.com/card/c1', undefined],
  [PATH, 'https://app.example.com:8443/card/c1', undefined],
  [PATH, 'https://app.example.com/card/a%2Fb', undefined],
  [PATH, 'https://app.example.com/card/a%5Cb', undefined],
  [PATH, 'https://app.example.com/card/a%00b', undefined],
  [PATH, 'https://app.example.com/card/%2e%2e', undefined],
  [PATH, 'https://app.example.com/card/%ff', undefined],
  [PATH, `https://app.example.com/card/${'x'.repeat(200)}`, 'x'.repeat(200)],
  [PATH, `https://app.example.com/card/${'x'.repeat(201)}`, undefined],
  [PATH, 'ftp://app.example.com/card/c1', undefined],
  [PATH, 'not an address', undefined],
  [`${PATH}/`, 'https://app.example.com/card/c1', 'c1'],
  ['https://app.example.com/c-{id}.html', 'https://app.example.com/c-7.html', '7'],
  ['https://app.example.com/c-{id}.html', 'https://app.example.com/c-.html', undefined],
  ['http://127.0.0.1:4000/p q/{id}', 'http://127.0.0.1:4000/p%20q/c1', 'c1'],
  [QUERY, 'https://app.example.com/board?id=c1&view=card&x=1#top', 'c1'],
  [QUERY, 'https://app.example.com/board/?view=card&id=a%2Bb', 'a+b'],
  [QUERY, 'https://app.example.com/board?view=list&id=c1', undefined],
  [QUERY, 'https://app.example.com/board?view=card&id=', undefined],
])('with %s the card of %s is %j', (template, url, expected) => {
  expect(createCardLinks([template]).cardIdOf(url)).toBe(expected);
});

test.each([
  ['as long as Slack takes on a button', MAX_CARD_LINK_CHARS, 'c1'],
  ['longer than that', MAX_CARD_LINK_CHARS + 1, undefined],
  ['as long as a whole message', 39_000, undefined],
])('a URL %s (%i characters) is the link of %j', (_, length, expected) => {
  const url = 'https://app.example.com/card/c1'.padEnd(length, '/');
  expect(createCardLinks([PATH]).cardIdOf(url)).toBe(expected);
});

test('links of every template are recognized, and new ones use the first', () => {
  const links = createCardLinks([` ${PATH} `, 'https://Old.example.com/t/{id}', QUERY]);
  expect(links.cardIdOf('https://old.example.com/t/c9')).toBe('c9');
  expect(links.urlOf('a b&é')).toBe('https://app.example.com/card/a%20b%26%C3%A9');
  expect(links.hosts).toEqual(['app.example.com', 'old.example.com']);
});

test.each([
  ['no {id}', 'https://app.example.com/card'],
  ['two {id}', 'https://app.example.com/{id}/{id}'],
  ['{id} in the host', 'https://{id}.example.com/card'],
  ['{id} in the fragment', 'https://app.example.com/#/card/{id}'],
  ['{id} as a query name', 'https://app.example.com/card?{id}=1'],
  ['another scheme', 'ftp://app.example.com/{id}'],
  ['no address', 'card/{id}'],
])('a template with %s is refused', (_, template) => {
  expect(() => createCardLinks([PATH, template])).toThrow('template');
});

test('an empty list of templates is refused', () => {
  expect(() => createCardLinks([])).toThrow('At least one');
});

test.each(['', '.', '..', 'a/b', 'a\\b', 'a\nb', '\ud800', 'x'.repeat(201)])(
  'the ID %j gets no link',
  (id) => {
    expect(() => createCardLinks([PATH]).urlOf(id)).toThrow(RangeError);
  },
);

test('every ID that gets a link is found in it again', () => {
  const ids = fc
    .string({ unit: anyCharacter, minLength: 1, maxLength: 60 })
    .filter((id) => !/[\p{Cc}/\\]/u.test(id) && id !== '.' && id !== '..');
  const templates = fc.constantFrom(PATH, QUERY, 'https://app.example.com/c-{id}.html?x=1');
  fc.assert(
    fc.property(ids, templates, (id, template) => {
      const links = createCardLinks([template]);
      expect(links.cardIdOf(links.urlOf(id))).toBe(id);
      expect(links.cardIdOf(`${links.urlOf(id)}${template === PATH ? '/?' : '&'}y=2#z`)).toBe(id);
    }),
  );
});

test('reading a link never throws', () => {
  const links = createCardLinks([PATH, QUERY]);
  const urls = fc.oneof(
    fc.string(),
    anyUrl,
    fc.string().map((text) => PATH.replace('{id}', text)),
  );
  fc.assert(
    fc.property(urls, (url) => {
      expect(['string', 'undefined']).toContain(typeof links.cardIdOf(url));
    }),
  );
});

test('the dashboard is the site of the first template', () => {
  const links = createCardLinks(['http://127.0.0.1:4000/a/{id}?x=1', QUERY]);
  expect(links.dashboardUrl).toBe('http://127.0.0.1:4000');
});

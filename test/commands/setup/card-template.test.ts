import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { candidatesIn } from '../../../src/commands/setup/card-template.ts';
import { createCardLinks } from '../../../src/references.ts';
import { anyCharacter } from '../../any-text.ts';

const templatesOf = (link: string) => {
  const found = candidatesIn(link);
  return typeof found === 'string' ? found : found.map(({ template }) => template);
};

describe('the template of card links', () => {
  it.each([
    ['https://app.example.com/card/123', 'https://app.example.com/card/{id}'],
    [
      'https://app.example.com/card/123?utm_source=mail#comments',
      'https://app.example.com/card/{id}',
    ],
    ['https://app.example.com:8443/c/a1b2-c3/edit', 'https://app.example.com:8443/c/{id}/edit'],
    [
      'https://app.example.com/open?view=card&id=77',
      'https://app.example.com/open?view=card&id={id}',
    ],
  ])('of %s is %s', (link, template) => {
    expect(templatesOf(link)?.[0]).toBe(template);
  });

  it('has the last part with a digit first, and the others as alternatives', () => {
    expect(templatesOf('https://app.example.com/v2/board/9/card/123')).toEqual([
      'https://app.example.com/v2/board/9/card/{id}',
      'https://app.example.com/v2/board/{id}/card/123',
      'https://app.example.com/{id}/board/9/card/123',
    ]);
  });

  it('is read from any link without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (path) => {
        expect(candidatesIn(`https://app.example.com/${path}1`)).toBeDefined();
      }),
    );
  });

  it('recognizes the link that it came from, whatever that is', () => {
    const part = fc.string({
      unit: fc.constantFrom('7', 'a', '%', '%20', '.', '/', '?', '&', '='),
    });
    fc.assert(
      fc.property(part, (rest) => {
        const link = `https://app.example.com/card/${rest}`;
        const found = candidatesIn(link);
        for (const { template, id } of typeof found === 'string' ? [] : found) {
          expect(createCardLinks([template]).cardIdOf(link)).toBe(id);
        }
      }),
    );
  });

  it.each([
    ['card 123', /isn’t a link/],
    ['https://app.example.com/dashboard', /no card ID/],
    ['https://app.example.com/#/card/123', /after a #/],
    ['https://app.example.com/card/7-50%-off', /no card ID/],
    ['https://192.0.2.7/card/123', /doesn’t unfurl links to 192\.0\.2\.7/],
  ])('can’t be read from %s, and says why', (link, why) => {
    expect(templatesOf(link)).toMatch(why);
  });
});

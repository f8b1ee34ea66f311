import { readdirSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'vite';
import { describe, expect, it } from 'vitest';

const FOLDER = new URL('../../src/slack/words/', import.meta.url);

/** What people find hard to read, or what means something else to them. */
const BANNED =
  /\b(?:orders?|ordered|ordering|mend|mended|stands?|by itself|by themselves|anew|somebody|everybody|anybody|oops|uh-oh|organisations?|please note)\b/i;
/** In one sentence. */
const MAX_WORDS = 25;

/** The texts in a file; what is filled in counts as one word. */
function textsIn(file: string): string[] {
  const { program } = parseSync(file, readFileSync(new URL(file, FOLDER), 'utf8'));
  const texts: string[] = [];
  new Visitor({
    Literal({ value }) {
      if (typeof value === 'string') texts.push(value);
    },
    TemplateLiteral({ quasis }) {
      texts.push(quasis.map(({ value }) => value.cooked ?? '').join('…'));
    },
  }).visit(program);
  return texts;
}

const sentencesIn = (text: string) => text.split(/(?<=[.?!])\s+|\n/);
const wordsIn = (sentence: string) =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\d…]/u.test(word));

describe.each(readdirSync(FOLDER))('the words of %s', (file) => {
  const texts = textsIn(file);

  it('are plain', () => {
    expect(texts.filter((text) => BANNED.test(text))).toEqual([]);
  });

  it(`come in sentences of at most ${MAX_WORDS} words`, () => {
    const long = texts.flatMap(sentencesIn).filter((one) => wordsIn(one).length > MAX_WORDS);
    expect(long).toEqual([]);
  });
});

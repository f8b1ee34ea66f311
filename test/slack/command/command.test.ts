import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mistypedName, parseCommand } from '../../../src/slack/command/command.ts';
import { SUB_COMMANDS } from '../all-routes.ts';

const NAMES = SUB_COMMANDS.flatMap(({ name }) => name ?? []);
const anyName = fc.constantFrom(...NAMES);
const space = fc.stringMatching(/^[ \t\n\u00a0]{1,4}$/);
const maybeSpace = fc.stringMatching(/^[ \t\n\u00a0]{0,4}$/);

/** Escaped as Slack sends what was typed (docs.slack.dev/messaging/formatting-message-text). */
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const parse = (text: string) => parseCommand(escaped(text), NAMES);

/** Random upper and lower case. */
const inAnyCase = (word: string) =>
  fc
    .array(fc.boolean(), { minLength: word.length, maxLength: word.length })
    .map((upper) =>
      [...word].map((letter, index) => (upper[index] ? letter.toUpperCase() : letter)).join(''),
    );

describe('the text after the command', () => {
  it('is a subcommand if it starts with its name, and the rest stays as typed', () => {
    const typed = anyName.chain((name) =>
      fc.record({
        name: fc.constant(name),
        word: inAnyCase(name),
        rest: fc.string({ unit: 'grapheme' }).map((text) => text.trim()),
        before: maybeSpace,
        between: space,
        after: maybeSpace,
      }),
    );
    fc.assert(
      fc.property(typed, ({ name, word, rest, before, between, after }) => {
        const text = before + word + (rest ? between + rest : '') + after;
        expect(parse(text)).toEqual({ name, rest });
      }),
    );
  });

  it('is a title in every other case, and stays complete', () => {
    const other = fc
      .string({ unit: 'grapheme' })
      .filter((text) => !NAMES.includes(text.trim().split(/\s+/)[0]?.toLowerCase() ?? ''));
    fc.assert(
      fc.property(other, (text) => {
        expect(parse(text)).toEqual({ name: undefined, rest: text.trim() });
      }),
    );
  });

  it.each([
    ['statusbar icons', 'statusbar icons'],
    ['__proto__', '__proto__'],
  ])('takes “%s” as a title', (text, rest) => {
    expect(parse(text)).toEqual({ name: undefined, rest });
  });
});

describe('a single word', () => {
  it.each([
    ['hlep', 'help'],
    ['halp', 'help'],
    ['brand', 'brands'],
    ['disconect', 'disconnect'],
  ])('takes %s for %s', (typed, name) => {
    expect(mistypedName(typed, NAMES)).toBe(name);
  });

  it.each(['banner', 'hlep me', 'hle', 'x'.repeat(3_000)])('takes “%s” for a title', (typed) => {
    expect(mistypedName(typed, NAMES)).toBeUndefined();
  });
});

import { expect, it } from 'vitest';
import { mistypedName } from '../../../src/slack/command/parse.ts';

const NAMES = ['new', 'status', 'list', 'types', 'brands', 'disconnect', 'help'] as const;

it.each([
  ['hlep', 'help'],
  ['halp', 'help'],
  ['HELPP', 'help'],
  ['hep', 'help'],
  ['brand', 'brands'],
  ['disconect', 'disconnect'],
])('takes %s for %s', (typed, name) => {
  expect(mistypedName(typed, NAMES)).toBe(name);
});

it.each(['', 'banner', 'news', 'hlep me', 'poster', 'hle', 'x'.repeat(3_000)])(
  'takes “%s” for a title',
  (typed) => {
    expect(mistypedName(typed, NAMES)).toBeUndefined();
  },
);

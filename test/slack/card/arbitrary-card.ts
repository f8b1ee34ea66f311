import fc from 'fast-check';
import type { Card, CardFile } from '../../../src/service/operations/card.ts';
import type { CardDetail, CardView } from '../../../src/slack/card/card-view.ts';
import { anyCharacter } from '../../any-text.ts';
import { hostileText } from '../text/hostile-text.ts';

/** All kinds of text: hostile, with lone surrogates, blank, and far longer than what is shown. */
export const anyText = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.string({ unit: anyCharacter, maxLength: 40 }) },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', '\u200b', '\ud800', '\u0000', '\u2800\u00ad') },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('x', '&', '<', '🦓', '\ud800', 'e\u0301', '*a ', '\n'), hostileText)
      .map(([unit, text]) => text + unit.repeat(10_000)),
  },
);

/** http(s) URLs of up to 4,000 characters; those of cards have at most 3,000 (`MAX_CARD_LINK_CHARS`). */
const anyUrl = fc
  .tuple(
    fc.constantFrom('https://app.example.com/card/', 'http://files.example/'),
    fc.constantFrom('1', '%20', '?q=<!channel>|*x*', '#`a`', 'ü', "'()*"),
    fc.integer({ min: 1, max: 4_000 }),
  )
  .map(([start, part, length]) => (start + part.repeat(length)).slice(0, length + start.length))
  .map((url) => url.slice(0, 4_000));

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const anyDate = fc.date({ noInvalidDate: true });
const fourDigitYear = fc.date({
  noInvalidDate: true,
  min: new Date('0001-01-01'),
  max: new Date('9999-12-31'),
});

const nothing = fc.constant(undefined);

const anyFile: fc.Arbitrary<CardFile> = fc.record({
  name: anyText,
  ext: maybe(fc.constantFrom('png', 'jpg', 'zip', 'PNG', '', '\ud800')),
  urls: fc.record({
    full: maybe(anyUrl),
    large: maybe(anyUrl),
    medium: maybe(anyUrl),
    small: maybe(anyUrl),
  }),
});

/** What a link can contain. */
const anyCardId = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 200 }).map((id) =>
  id
    .toWellFormed()
    .replaceAll(/[\p{Cc}/\\]/gu, '-')
    .slice(0, 200),
);

const anyCard: fc.Arbitrary<Card> = fc.record({
  requestType: nothing,
  createdBy: nothing,
  createdAt: nothing,
  brand: nothing,
  id: anyCardId,
  title: anyText,
  descriptionHtml: anyText,
  textCopyHtml: anyText,
  software: maybe(anyText),
  productType: maybe(anyText),
  dimensions: maybe(anyText),
  labels: fc.array(anyText, { maxLength: 3 }),
  tags: fc.array(anyText, { maxLength: 3 }),
  fileFormats: maybe(anyText),
  status: maybe(
    fc.record({
      id: nothing,
      name: anyText,
      color: maybe(fc.constantFrom('#a259ff', '#FFFFFF')),
    }),
  ),
  dueDate: maybe(
    fc.record({
      text: anyText,
      date: maybe(anyDate),
      day: maybe(fourDigitYear.map((date) => date.toISOString().slice(0, 10))),
      isWholeDay: fc.boolean(),
    }),
  ),
  updatedAt: maybe(anyDate),
  files: fc.array(anyFile, { maxLength: 3 }),
});

export const anyView: fc.Arbitrary<CardView> = fc.record({
  card: anyCard,
  url: anyUrl.map((url) => url.slice(0, 3_000)),
  detail: fc.constantFrom<CardDetail>('large', 'small', 'title', 'all'),
  brandName: maybe(anyText),
  typeName: maybe(anyText),
  requesterName: maybe(anyText),
  asOf: maybe(anyDate),
  shownAt: anyDate,
  moreLinks: maybe(fc.integer({ min: 1, max: 999 })),
  withPicture: fc.boolean(),
});

import type { Brand } from '../resources.ts';

/** More than the 100 options of a Slack select, and more than one page of anything. */
const DEMO_BRAND_COUNT = 300;

/** Names that a list of brands must handle: duplicate, long, foreign, and full of markup. */
const AWKWARD_NAMES = [
  'Acme',
  'Acme',
  'acme',
  'Northwind <!channel> Traders',
  'Fish &amp; Chips',
  'Fish & Chips',
  'R&D <https://example.com|click here>',
  '*Bold* _Moves_ ~Ltd~ `code`',
  'The Extraordinarily Long-Named Holding Company for Regional Hospitality and Leisure Ventures',
  'Große Straße Möbelhaus',
  '日本デザイン株式会社',
  'Студия «Север»',
  'مقهى الصباح',
  'Café Été',
  'Zebra 🦓 Crossing',
  '   Padded   ',
  'N',
];

const FIRST_WORDS = ['Amber', 'Birch', 'Cobalt', 'Delta', 'Ember', 'Fjord', 'Grove', 'Harbor'];
const MORE_FIRST_WORDS = ['Indigo', 'Juniper', 'Kite', 'Lumen', 'Meadow', 'Nimbus', 'Onyx', 'Pine'];
const SECOND_WORDS = ['Analytics', 'Bakery', 'Cycles', 'Dental', 'Energy', 'Foods', 'Games'];
const MORE_SECOND_WORDS = [
  'Health',
  'Interiors',
  'Labs',
  'Media',
  'Networks',
  'Outdoors',
  'Travel',
];

/** 300 brands, always the same. */
export function demoBrands(): Brand[] {
  const first = [...FIRST_WORDS, ...MORE_FIRST_WORDS];
  const second = [...SECOND_WORDS, ...MORE_SECOND_WORDS];
  const plainNames = second.flatMap((tail) => first.map((head) => `${head} ${tail}`));
  const others = second.flatMap((tail) => first.map((head) => `${head} ${tail} Group`));
  const brands = [...AWKWARD_NAMES, ...plainNames, ...others]
    .slice(0, DEMO_BRAND_COUNT)
    .map((name, index) => ({ id: `brand-${index + 1}`, name }));
  // A newcomer sees plausible names first.
  const awkward = AWKWARD_NAMES.length;
  return [...brands.slice(awkward), ...brands.slice(0, awkward)];
}

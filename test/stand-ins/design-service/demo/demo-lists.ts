import { type Brand, PRODUCTS, type RequestType, type Tag } from '../resources.ts';

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

const FIRST_WORDS = [
  'Amber',
  'Birch',
  'Cobalt',
  'Delta',
  'Ember',
  'Fjord',
  'Grove',
  'Harbor',
  'Indigo',
  'Juniper',
  'Kite',
  'Lumen',
  'Meadow',
  'Nimbus',
  'Onyx',
  'Pine',
];
const SECOND_WORDS = [
  'Analytics',
  'Bakery',
  'Cycles',
  'Dental',
  'Energy',
  'Foods',
  'Games',
  'Health',
  'Interiors',
  'Labs',
  'Media',
  'Networks',
  'Outdoors',
  'Travel',
];

export function demoBrands(): Brand[] {
  const plainNames = SECOND_WORDS.flatMap((tail) => FIRST_WORDS.map((head) => `${head} ${tail}`));
  const others = plainNames.map((name) => `${name} Group`);
  const brands = [...AWKWARD_NAMES, ...plainNames, ...others]
    .slice(0, DEMO_BRAND_COUNT)
    .map((name, index) => ({ id: `brand-${index + 1}`, name }));
  // A newcomer sees plausible names first.
  const awkward = AWKWARD_NAMES.length;
  return [...brands.slice(awkward), ...brands.slice(0, awkward)];
}

const NAMES_AND_COLOURS: [string, string, string][] = [
  ['Spring', '#d7f5dd', '#14532d'],
  ['Summer', '#fff3c4', '#713f12'],
  ['Autumn', '#ffe3cf', '#7c2d12'],
  ['Winter', '#dbeafe', '#1e3a8a'],
  ['Launch', '#5b6cff', '#ffffff'],
  ['Evergreen', '#30a46c', '#ffffff'],
  ['Internal', '#e5e7eb', '#111827'],
  ['Event', '#a259ff', '#ffffff'],
  ['Rebrand', '#111827', '#ffffff'],
  ['Q&A', '#fde2e4', '#881337'],
  ['Übersetzung', '#cffafe', '#164e63'],
  ['A/B <test>', '#fef9c3', '#000000'],
];

export function demoTags(): Tag[] {
  return NAMES_AND_COLOURS.map(([name, background, text], index) => ({
    id: `tag-${index + 1}`,
    name,
    bg_color: background,
    text_color: text,
  }));
}

/** Six request types, with lists that a form must handle: empty, with one entry, long, with long names. */
export function demoRequestTypes(): RequestType[] {
  const forSlides = ['Graphics', 'Partner Graphics', 'Partner Plus'];
  const types: [
    id: string,
    name: string,
    products: string[],
    formats: string,
    softwares: string,
  ][] = [
    [
      'social',
      'Social media',
      PRODUCTS.slice(0, 3),
      'PNG,JPG,GIF,MP4',
      'Photoshop,Illustrator,Figma',
    ],
    ['presentation', 'Presentation', forSlides, 'PPTX,PDF,KEY', 'PowerPoint,Keynote,Google Slides'],
    ['video', 'Video & motion', ['Video'], 'MP4,MOV,GIF', 'After Effects,Premiere Pro'],
    ['other', 'Something else', [], '', ''],
    ['print', 'Print', ['Graphics'], PRINT_FORMATS, 'InDesign,Illustrator'],
    ['campaign', CAMPAIGN, PRODUCTS, 'PNG,PDF,MP4', 'Figma'],
  ];
  const listed = (text: string) => text.split(',').filter(Boolean);
  return types.map(([id, name, offered, formats, softwares]) => ({
    id: `type-${id}`,
    name,
    products: offered,
    formats: listed(formats),
    softwares: listed(softwares),
  }));
}

const PRINT_FORMATS = 'PDF,PDF/X-1a,PDF/X-4,EPS,AI,INDD,IDML,TIFF,PSD,PNG,JPG,SVG,DXF';
const CAMPAIGN =
  'Integrated campaign with adaptations for every market, channel, language and season of the year';

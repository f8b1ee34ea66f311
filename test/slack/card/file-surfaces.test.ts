import { describe, expect, it } from 'vitest';
import type { Card, CardFile } from '../../../src/service/operations/card.ts';
import { buildCardBlocks } from '../../../src/slack/card/card-blocks.ts';
import { fileLinks, markRequestFiles, roleOf } from '../../../src/slack/card/card-files.ts';
import type { CardView } from '../../../src/slack/card/card-view.ts';
import { buildChangeMessage } from '../../../src/slack/card/change-message.ts';
import { buildDetails, buildEntity } from '../../../src/slack/card/entity.ts';
import { snapshotOf } from '../../../src/watching/snapshot.ts';
import { BLANK_CARD } from '../../service/blank-card.ts';

/** How each surface shows each kind of file. */
const LOOKS = `
| File | small preview | \`status\` | large preview | Show all | message about a new file | Work Object | pane |
| a delivered image | picture | picture and link | picture and link | picture and link | picture and link | picture | picture |
| a delivered PDF, video, or archive | link | link | link | link | link | link | link |
| the same without an address | name | name | name | name | name | name | name |
| a file of an unknown role | picture | picture and link | picture and link | picture and link | picture and link | picture | picture |
| a reference, also an image | – | – | – | link, with its role | link, with its role | – | picture, with its role |
| an additional file | – | – | – | link, with its role | link, with its role | – | link, with its role |
| a text copy | – | – | – | link, with its role | link, with its role | – | link, with its role |
| attached by the request, if the service doesn’t say so | – | – | – | link, with its role | link, with its role | – | picture, with its role |
`;

const file = (name: string, more: Partial<CardFile> = {}): CardFile => {
  const full = `https://files.example.com/${name}`;
  const urls = { full, large: `${full}?large`, medium: `${full}?medium`, small: `${full}?small` };
  return { id: name, name, ext: name.split('.').at(-1), type: 'design', urls, ...more };
};

const KINDS: [kind: string, file: CardFile][] = [
  ['a delivered image', file('poster.png')],
  ['a delivered PDF, video, or archive', file('teaser.mp4')],
  ['the same without an address', file('teaser.mp4', { urls: {} })],
  ['a file of an unknown role', file('poster.png', { type: undefined })],
  ['a reference, also an image', file('mood.png', { type: 'Reference' })],
  ['an additional file', file('logo.svg', { type: 'additional_files' })],
  ['a text copy', file('copy.docx', { type: 'textCopy' })],
  [
    'attached by the request, if the service doesn’t say so',
    file('mine.png', { isAttached: true }),
  ],
];

const cardWith = (files: CardFile[]): Card => ({ ...BLANK_CARD, id: 'c1', title: 'Poster', files });
const viewOf = (one: CardFile, detail: CardView['detail']): CardView => ({
  card: cardWith([one]),
  url: 'https://app.example.com/card/c1',
  detail,
  shownAt: new Date(0),
});

const SURFACES: Record<string, (one: CardFile) => unknown> = {
  'small preview': (one) => buildCardBlocks(viewOf(one, 'small')),
  '`status`': (one) => buildCardBlocks({ ...viewOf(one, 'small'), linksFiles: true }),
  'large preview': (one) => buildCardBlocks(viewOf(one, 'large')),
  'Show all': (one) => buildCardBlocks(viewOf(one, 'all')),
  'message about a new file': (one) =>
    buildChangeMessage({
      ...{
        cardId: 'c1',
        card: cardWith([one]),
        news: { files: snapshotOf(cardWith([one])).files },
      },
      url: 'https://app.example.com/card/c1',
      now: new Date(0),
      mentioned: [],
    }).blocks,
  'Work Object': (one) => buildEntity(viewOf(one, 'small'), false),
  pane: (one) => buildDetails(viewOf(one, 'small'), undefined),
};

/** How a surface shows a file. */
function lookOf(shown: unknown, { name, urls }: CardFile): string {
  const json = JSON.stringify(shown);
  const isPicture = Object.values(urls).some((url) => json.includes(`"image_url":"${url}"`));
  const isLink = json.includes(`<${urls.full}|`) || json.includes(`"value":"${urls.full}"`);
  const hasRole = json.includes(`${name} (`);
  const kinds = [isPicture && 'picture', isLink && 'link'].filter(Boolean);
  if (kinds.length === 0 && json.includes(name)) kinds.push('name');
  const look = kinds.length === 0 ? '–' : kinds.join(' and ');
  return hasRole ? `${look}, with its role` : look;
}

describe('what each kind of file looks like', () => {
  it('depends on who made it, and on where it is shown', () => {
    const names = Object.keys(SURFACES);
    const table = [
      `| File | ${names.join(' | ')} |`,
      ...KINDS.map(([kind, one]) => {
        const looks = Object.values(SURFACES).map((show) => lookOf(show(one), one));
        return `| ${kind} | ${looks.join(' | ')} |`;
      }),
    ];
    expect(`\n${table.join('\n')}\n`).toBe(LOOKS);
  });
});

it.each([
  ['reference', 'reference'],
  ['REFERENCE_FILE', 'reference'],
  ['ref', 'reference'],
  ['Additional files', 'additional'],
  ['text_copy', 'textCopy'],
  ['Text-Copy', 'textCopy'],
  ['design', 'delivered'],
  ['preference', 'delivered'],
  ['', 'delivered'],
])('the type %j of a file means %s', (type, role) => {
  expect(roleOf(file('a.png', { type }))).toBe(role);
});

it('a file that the request attached is known by its name, unless the service says its role', () => {
  const form = { referenceFiles: [{ id: 'F1', name: 'logo.png' }] } as never;
  const roles = (files: CardFile[]) => markRequestFiles(cardWith(files), form).files.map(roleOf);
  const unsaid = file('logo.png', { type: undefined });
  expect(roles([unsaid, file('design.png')])).toEqual(['reference', 'delivered']);
  expect(roles([file('logo.png', { type: 'reference' }), unsaid])).toEqual([
    'reference',
    'delivered',
  ]);
});

it('of many files, as many are named as fit, the newest first', () => {
  const files = Array.from({ length: 9 }, (_, index) => file(`${index}.png`));
  const links = fileLinks(files, 2);
  expect(links).toMatch(/8\.png>, <.*7\.png>, 7 more$/);
  const long = files.map((one) => ({
    ...one,
    urls: { full: `https://f.example.com/${'x'.repeat(1_500)}` },
  }));
  expect(fileLinks(long, 9).length).toBeLessThan(3_000);
});

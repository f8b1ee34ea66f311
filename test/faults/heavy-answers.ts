import type { Filling } from '../stand-ins/design-service/answer-call.ts';
import type { Fault } from '../stand-ins/design-service/faults.ts';

/** Slightly less than the largest answer that the app reads (1 MiB). */
const BYTES = 1_040_000;

type HeavyAnswer = Extract<Fault, { kind: 'bloated' }>;

const heavy = (path: readonly string[], filling: Filling, status?: number): HeavyAnswer => ({
  ...{ kind: 'bloated', path: ['data', ...path], filling, bytes: BYTES, times: 1 },
  ...(status === undefined ? {} : { status }),
});
const inField = (name: string, fillings: readonly Filling[]) =>
  fillings.map((filling) => heavy([name], filling));
const texts = (...units: string[]): Filling[] => units.map((text) => ({ text }));
const entries = (...all: string[]): Filling[] => all.map((entry) => ({ entry }));

const SHAPES: readonly Filling[] = [
  ...entries('{}', '1', '""', '[]', '{"id":#,"name":"n#"}'),
  ...([{ nested: 'lists' }, { nested: 'objects' }, { keys: 'numbered' }] as const),
];
/** Each as long as possible, and without visible content where possible. */
const HTML = [
  ...['<b>', '<ul><li>', '<table><tr><td>', '<blockquote>', '<p>\u200b</p>', '<li>\u200b', '</p>'],
  ...['<a href=http://a.example>\u200b</a>', '<b style=font-weight:bold>', '<img alt=x>', '<!--'],
  ...['<svg>', '<script>', '<br>', '&amp;', '&#x20;', '\n', ' \n', '\u0001', '\ud800', 'e\u0301'],
];
const FILE =
  '{"id":#,"name":"#.png","ext":"png","type":"final","urls":{"full":"https://files.example/#.png","large":"https://files.example/#.png?class="}}';

/** Hundreds of thousands of them. */
export const EMPTY_FILES = heavy(['files'], { entry: '{}' });

/** Answers to `GET /card/{id}` that are as expensive as possible. */
export const HEAVY_CARDS: readonly HeavyAnswer[] = [
  ...inField('files', [...SHAPES, { entry: FILE }]),
  ...inField('labels', [...SHAPES, ...texts(',', 'a label of thirty characters,')]),
  ...inField('brand', SHAPES),
  ...inField('unknown', SHAPES),
  ...inField('title', texts(' >', 'x ', ':a', '*', '\u0001', '👩‍👩‍👧')),
  ...inField('dimensions', texts('\n>', '@a ', 'http://a.example ')),
  ...inField('due_date', texts('1 ', ' >')),
  ...inField('created_at', texts('1 ')),
  ...inField('description', texts(...HTML)),
  heavy([], { keys: 'numbered' }),
];

/** The same with status 400 and an explanation. */
export const HEAVY_REFUSALS: readonly HeavyAnswer[] = [...SHAPES, ...texts('x ')].flatMap(
  (filling) => ['details', 'message'].map((path) => ({ ...heavy([], filling, 400), path: [path] })),
);

/** Answers to a list operation. */
export const HEAVY_LISTS: readonly HeavyAnswer[] = [
  ...SHAPES,
  ...entries('{"id":#,"name":"a name of thirty characters #","formats":["a","b","c"]}'),
  ...entries(`{"id":#,"name":"${'👩‍👩‍👧'.repeat(20)}"}`),
].map((filling) => heavy([], filling));

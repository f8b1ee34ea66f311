import type { Chance } from '../random.ts';

type Choices<Item> = readonly [Item, ...Item[]];

/** A sixth of the largest body that the app accepts (3 MiB), in bytes; escaped, it can exceed the whole. */
const LONGEST_TEXT_BYTES = 512 * 1024;
const LONG_TEXTS = 0.01;
const DEEPEST = 100_000;
const LONE_SURROGATE = '\ud800';

const TEXTS: Choices<string> = [
  '',
  ' ',
  '\0',
  'a\0b',
  LONE_SURROGATE,
  `x\udc00${LONE_SURROGATE}y`,
  '\u202eevil',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'NaN',
  '-1',
  '1e999',
  '../../etc/passwd',
  '<!channel>',
  '{"nested":"json"}',
  '%zz',
  '\ufeff',
  'T0',
  'view_submission',
  'event_callback',
];
const NUMBERS: Choices<number> = [0, -0, -1, 1.5, 1e308, -1e308, 2 ** 53 + 2, 5e-324];
const KEYS: Choices<string> = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  '',
];
const UNITS: Choices<string> = ['x', 'é', '\u2028', '<', '"', '\\', '\0'];

/** Text made to break parsers; rarely as long as a body can be. */
export function strangeText(chance: Chance): string {
  if (!chance.is(LONG_TEXTS)) return chance.pick(TEXTS);
  const unit = chance.pick(UNITS);
  return unit.repeat(chance.below(LONGEST_TEXT_BYTES) / Buffer.byteLength(unit));
}

/** Any JSON value, a few levels deep; sometimes one that `asJson` makes very deep. */
export function strangeValue(chance: Chance, levels = 3): unknown {
  const plain: Choices<() => unknown> = [
    () => null,
    () => chance.is(0.5),
    () => chance.pick(NUMBERS),
    () => strangeText(chance),
    () => strangeText(chance),
  ];
  if (levels === 0) return chance.pick(plain)();
  const values = () =>
    Array.from({ length: chance.below(5) }, () => strangeValue(chance, levels - 1));
  return chance.pick([
    ...plain,
    values,
    () => objectOf(values().map((value) => [strangeKey(chance), value])),
    () => deep(chance),
  ])();
}

export const strangeKey = (chance: Chance): string =>
  chance.is(0.5) ? chance.pick(KEYS) : chance.pick(TEXTS);

/** An object with these own keys, even `__proto__`. */
export function objectOf(entries: readonly (readonly [string, unknown])[]): object {
  const made = {};
  for (const [key, value] of entries) setOwn(made, key, value);
  return made;
}

/** Sets a field; `object.__proto__ = value` would change the prototype instead. */
export function setOwn(object: object, key: string, value: unknown): void {
  const flags = { enumerable: true, configurable: true, writable: true };
  Object.defineProperty(object, key, { value, ...flags });
}

const DEEP_MARK = 'deep-5f1c';
const DEEP = new RegExp(`"${DEEP_MARK} (\\d+) ([[{])"`, 'g');

/** Stands for 1 to 100,000 levels, which can't be serialized as a value. */
function deep(chance: Chance): string {
  return `${DEEP_MARK} ${Math.floor(DEEPEST ** chance.next())} ${chance.pick(['[', '{'])}`;
}

/** The value as JSON, with real nesting in place of the marks. */
export function asJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(DEEP, (_found, depth, bracket) =>
    bracket === '[' ? nested(Number(depth), '[', ']') : nested(Number(depth), '{"a":', '}'),
  );
}

const nested = (depth: number, open: string, close: string) =>
  `${open.repeat(depth)}1${close.repeat(depth)}`;

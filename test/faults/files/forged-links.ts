import type { Chance } from '../random.ts';

/** In the order of base64url. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const LINK = /^(.*\/files\/)([\w-]+)\.([\w-]+)\/([\w.-]+)$/;

type Parts = { before: string; payload: string; mac: string; name: string };

const FORGERIES: readonly [forge: Forgery, ...Forgery[]] = [
  // Guessed
  ({ before, name }, chance) => `${before}${letters(chance, 80)}.${letters(chance, 43)}/${name}`,
  ({ before, mac, name }, chance) => `${before}${letters(chance, 80)}.${mac}/${name}`,
  // One character of any part, also one that decodes to the same bytes
  (parts, chance) => join({ ...parts, payload: changed(parts.payload, chance) }),
  (parts, chance) => join({ ...parts, mac: changed(parts.mac, chance) }),
  (parts, chance) => join({ ...parts, mac: respelled(parts.mac, chance) }),
  (parts, chance) => join({ ...parts, name: `${letters(chance, 3)}${parts.name}` }),
  (parts) => join({ ...parts, mac: parts.mac.slice(1) }),
  (parts) => `${join(parts)}/`,
  // What it says
  (parts) => join({ ...parts, payload: rewritten(parts.payload, 3, 9_999_999_999) }),
  (parts, chance) => join({ ...parts, payload: rewritten(parts.payload, chance.below(3), 'X1') }),
  // Parts of two valid links
  (parts, _chance, other) => join({ ...parts, payload: other.payload }),
  (parts, _chance, other) => join({ ...parts, mac: other.mac }),
];

type Forgery = (parts: Parts, chance: Chance, other: Parts) => string;

/** A link that was not made by the app, from two that were. */
export function forgedLink(one: string, other: string, chance: Chance): string {
  const link = chance.pick(FORGERIES)(partsOf(one), chance, partsOf(other));
  return link === one || link === other ? `${one}x` : link;
}

function partsOf(link: string): Parts {
  const [, before = '', payload = '', mac = '', name = ''] = LINK.exec(link) ?? [];
  return { before, payload, mac, name };
}

const join = ({ before, payload, mac, name }: Parts) => `${before}${payload}.${mac}/${name}`;

const letters = (chance: Chance, length: number) =>
  Array.from({ length }, () => ALPHABET[chance.below(ALPHABET.length)]).join('');

function changed(text: string, chance: Chance): string {
  const at = chance.below(text.length);
  return text.slice(0, at) + otherThan(text[at] ?? '', chance) + text.slice(at + 1);
}

/** The same 32 bytes: of the last letter's six bits, two mean nothing. */
function respelled(text: string, chance: Chance): string {
  const value = ALPHABET.indexOf(text.at(-1) ?? '');
  return text.slice(0, -1) + ALPHABET[value ^ (1 + chance.below(3))];
}

function otherThan(letter: string, chance: Chance): string {
  const others = ALPHABET.replace(letter, '');
  return others[chance.below(others.length)] ?? 'A';
}

function rewritten(payload: string, index: number, value: unknown): string {
  const said: unknown[] = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return Buffer.from(JSON.stringify(said.with(index, value))).toString('base64url');
}

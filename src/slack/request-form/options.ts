import { createHash } from 'node:crypto';
import type { PlainTextOption } from '@slack/types';
import {
  clip,
  ELLIPSIS,
  isBlank,
  MENU_BYTES_MAX,
  OPTION_TEXT_MAX,
  OPTION_VALUE_MAX,
  SELECT_OPTIONS_MAX,
  wellFormed,
} from '../text/limits.ts';
import { typedText } from '../text/typed.ts';

export type Choice = { id: string; name: string };

const DIGEST = /^sha256-[0-9a-f]{64}$/;

/** Whether an option's value is the digest of an id, which alone does not say what the id is. */
export const isDigest = (value: string): boolean => DIGEST.test(value);

/**
 * The value that stands for an id in a select: the id itself, or its digest if Slack would not take the id
 * because it is too long or has characters that Slack drops.
 */
export function optionValue(id: string): string {
  return id.length <= OPTION_VALUE_MAX && id === typedText(id)
    ? id
    : `sha256-${createHash('sha256').update(id).digest('hex')}`;
}

/** The choice that an option's value stands for. */
export function choiceOf<Item extends Choice>(
  items: readonly Item[],
  value: string,
): Item | undefined {
  return items.find(({ id }) => optionValue(id) === value);
}

/** Names of products, softwares and formats are their own ids; each once. */
export const named = (names: readonly string[]): Choice[] =>
  [...new Set(names)].map((name) => ({ id: name, name }));

/**
 * Options in the order given. A name that is longer than Slack shows goes on in the option's second
 * line; where two still look alike, that line tells them apart by id.
 *
 * @param items whose ids are different ones
 */
function toOptions(items: readonly Choice[]): PlainTextOption[] {
  const shown = items.map((item) => ({ id: item.id, ...shownName(item) }));
  const seen = new Map<string, number>();
  const look = ({ text, more }: Shown) => `${text}\n${more ?? ''}`;
  for (const one of shown) seen.set(look(one), (seen.get(look(one)) ?? 0) + 1);
  return shown.map((one) => {
    const line = (seen.get(look(one)) ?? 0) > 1 ? shownId(one.id) : one.more;
    return {
      text: { type: 'plain_text', text: one.text, emoji: false },
      value: optionValue(one.id),
      ...(line ? { description: { type: 'plain_text', text: line } } : {}),
    };
  });
}

type Shown = { text: string; more: string | undefined };

/** A name on one line, or the id of a choice without a name that can be read. */
function lineOf({ id, name }: Choice): string {
  const lines = [name, id].map((text) => wellFormed(text).replaceAll(/\s+/g, ' ').trim());
  return lines.find((line) => !isBlank(line)) ?? UNNAMED;
}

const UNNAMED = '(no name)';

function shownName(item: Choice): Shown {
  const whole = lineOf(item);
  const text = clip(whole, OPTION_TEXT_MAX);
  if (text === whole) return { text, more: undefined };
  const rest = whole.slice(text.length - ELLIPSIS.length).trimStart();
  return { text, more: clip(ELLIPSIS + rest, OPTION_TEXT_MAX) };
}

/** An id, or its end: long ones of one service begin alike. */
function shownId(id: string): string {
  const whole = `id ${wellFormed(id)}`;
  if (whole.length <= OPTION_TEXT_MAX) return whole;
  const end = whole.slice(-(OPTION_TEXT_MAX - 'id '.length - ELLIPSIS.length));
  return `id ${ELLIPSIS}${end.toWellFormed()}`;
}

/** Longer than what is shown of most names, in UTF-16 units: names that look alike begin alike. */
const BEGINNING = 120;

/** The options of some of the items, told apart from all of them; in the items' order. */
export function optionsOf(some: readonly Choice[], items: readonly Choice[]): PlainTextOption[] {
  if (some.length === 0) return [];
  const beginnings = new Set(some.map(beginningOf));
  const values = new Set(some.map(({ id }) => optionValue(id)));
  // Only those can look alike; a name takes long to fit into an option, and there may be thousands.
  const alike = items.filter((item) => beginnings.has(beginningOf(item)));
  return toOptions(alike).filter(({ value }) => value !== undefined && values.has(value));
}

const beginningOf = (item: Choice) => lineOf(item).slice(0, BEGINNING);

/**
 * All options if they make a menu that Slack can show at once, undefined if they are too many or take too
 * much of the view: such a menu is searched instead.
 */
export function shortMenu(items: readonly Choice[]): PlainTextOption[] | undefined {
  if (items.length > SELECT_OPTIONS_MAX) return undefined;
  const options = toOptions(items);
  return Buffer.byteLength(JSON.stringify(options)) <= MENU_BYTES_MAX ? options : undefined;
}

/**
 * What a type-ahead search shows for what was typed: names that begin with it, then names that hold it,
 * then ids that begin with it. Case, accents and how many spaces there are make no difference.
 */
export function searchOptions(items: readonly Choice[], query: string): PlainTextOption[] {
  const wanted = searchable(query);
  const found = items
    .map((item) => ({ item, rank: rankOf(item, wanted) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, SELECT_OPTIONS_MAX);
  return toOptions(found.map(({ item }) => item));
}

const NO_MATCH = 3;

function rankOf({ id, name }: Choice, wanted: string): number {
  const found = searchable(name).indexOf(wanted);
  if (found >= 0) return Math.min(found, 1);
  return searchable(id).startsWith(wanted) ? 2 : NO_MATCH;
}

const searchable = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLocaleLowerCase();

import { createHash } from 'node:crypto';
import type { PlainTextOption } from '@slack/types';
import {
  clip,
  ELLIPSIS,
  isBlank,
  OPTION_TEXT_MAX,
  OPTION_VALUE_MAX,
  SELECT_OPTIONS_MAX,
  wellFormed,
} from '../text/limits.ts';
import { typedText } from '../text/typed.ts';

export type Choice = { id: string; name: string };

/**
 * The value that stands for an id in a select: the id itself, or, where it is longer than Slack takes or
 * holds what Slack does not take, its digest.
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
export function toOptions(items: readonly Choice[]): PlainTextOption[] {
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

function shownName({ id, name }: Choice): Shown {
  const line = wellFormed(name).replaceAll(/\s+/g, ' ').trim();
  const whole = isBlank(line) ? wellFormed(id) : line;
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

export type MenuOptions =
  | { options: PlainTextOption[] }
  | {
      option_groups: { label: { type: 'plain_text'; text: string }; options: PlainTextOption[] }[];
    };

/** Up to 100 options as they are; more in groups of 100, which Slack takes up to 100 of. */
export function menuOf(options: PlainTextOption[]): MenuOptions {
  if (options.length <= SELECT_OPTIONS_MAX) return { options };
  const groups = [];
  for (let start = 0; start < options.length; start += SELECT_OPTIONS_MAX) {
    const slice = options.slice(start, start + SELECT_OPTIONS_MAX);
    const text = `${start + 1}–${start + slice.length}`;
    groups.push({ label: { type: 'plain_text' as const, text }, options: slice });
  }
  return { option_groups: groups.slice(0, SELECT_OPTIONS_MAX) };
}

/**
 * What a type-ahead search shows for what was typed: names that begin with it, then names that hold it,
 * then ids that begin with it. Case, accents and how many spaces there are make no difference.
 */
export function searchOptions(items: readonly Choice[], query: string): PlainTextOption[] {
  const wanted = searchable(query);
  const ranks = new Map(items.map((item) => [optionValue(item.id), rankOf(item, wanted)]));
  return toOptions(items)
    .map((option) => ({ option, rank: ranks.get(option.value ?? '') ?? NO_MATCH }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, SELECT_OPTIONS_MAX)
    .map(({ option }) => option);
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

import { createHash } from 'node:crypto';
import type { PlainTextOption } from '@slack/types';
import {
  clip,
  isBlank,
  OPTION_TEXT_MAX,
  OPTION_VALUE_MAX,
  SELECT_OPTIONS_MAX,
  wellFormed,
} from '../text/limits.ts';

export type Choice = { id: string; name: string };

/**
 * The value that stands for an id in a select: the id itself, or, where it is longer than Slack takes,
 * its digest.
 */
export function optionValue(id: string): string {
  return id.length <= OPTION_VALUE_MAX
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

/** Names of products, softwares and formats are their own ids. */
export const named = (names: readonly string[]): Choice[] =>
  names.map((name) => ({ id: name, name }));

/**
 * Options in the order given, each id once. Names are cut to what Slack shows; where two then look
 * alike, a second line tells them apart by id.
 */
export function toOptions(items: readonly Choice[]): PlainTextOption[] {
  const unique = [...new Map(items.map((item) => [optionValue(item.id), item])).entries()];
  const shown = unique.map(([value, item]) => ({ value, id: item.id, text: shownName(item) }));
  const seen = new Map<string, number>();
  for (const { text } of shown) seen.set(text, (seen.get(text) ?? 0) + 1);
  return shown.map(({ value, id, text }) => ({
    text: { type: 'plain_text', text, emoji: false },
    value,
    ...((seen.get(text) ?? 0) > 1
      ? { description: { type: 'plain_text', text: clip(`id ${wellFormed(id)}`, OPTION_TEXT_MAX) } }
      : {}),
  }));
}

function shownName({ id, name }: Choice): string {
  const text = wellFormed(name).replaceAll(/\s+/g, ' ').trim();
  return clip(isBlank(text) ? id : text, OPTION_TEXT_MAX);
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

import { createHash } from 'node:crypto';
import type { InputBlock, PlainTextOption } from '@slack/types';
import type { FieldValue } from '../interaction/views.ts';
import { plainText } from '../text/blocks.ts';
import {
  CHOSEN_MAX,
  clip,
  ELLIPSIS,
  isBlank,
  MENU_BYTES_MAX,
  OPTION_TEXT_MAX,
  OPTION_VALUE_MAX,
  SELECT_OPTIONS_MAX,
  typedText,
  wellFormed,
} from '../text/limits.ts';
import { FORM } from '../words/request-form.ts';

type InputElement = InputBlock['element'];
export type Choice = { id: string; name: string };

/** Whether an option's value is the digest of an ID, from which the ID can't be derived. */
export const isDigest = (value: string): boolean => /^sha256-[0-9a-f]{64}$/.test(value);

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** A short stand-in for content that is too long for an ID. */
export const shortDigest = (content: unknown): string =>
  sha256(JSON.stringify(content)).slice(0, 12);

/** The ID, or its digest if the ID is too long for Slack or has characters that Slack drops. */
export const optionValue = (id: string): string =>
  id.length <= OPTION_VALUE_MAX && id === typedText(id) ? id : `sha256-${sha256(id)}`;

export function choiceOf<Item extends Choice>(items: readonly Item[], value: string) {
  return items.find(({ id }) => optionValue(id) === value);
}

/** A text in which `:name:` isn't turned into an emoji. */
export const withoutEmoji = (text: string) => ({ ...plainText(text), emoji: false });

/** Products, software, and formats have no IDs, so the name is the ID. Duplicates are dropped. */
export const asChoices = (names: readonly string[]): Choice[] =>
  [...new Set(names)].map((name) => ({ id: name, name }));

/** A long name continues in the description; if options still look alike, their ID is there. */
function toOptions(items: readonly Choice[]): PlainTextOption[] {
  const shown = items.map(shownName);
  const appearance = ({ text, more }: { text: string; more: string }) => `${text}\n${more}`;
  const alike = Map.groupBy(shown, appearance);
  return shown.map((one) => {
    const isAlone = alike.get(appearance(one))?.length === 1;
    const description = isAlone ? one.more : shownId(one.id);
    return {
      text: withoutEmoji(one.text),
      value: optionValue(one.id),
      ...(description ? { description: plainText(description) } : {}),
    };
  });
}

/** Its name on one line, or else its ID, and what of that doesn't fit. */
function shownName({ id, name }: Choice) {
  const lines = [name, id].map((text) => wellFormed(text).replaceAll(/\s+/g, ' ').trim());
  const whole = lines.find((line) => !isBlank(line)) ?? FORM.unnamedOption;
  const text = clip(whole, OPTION_TEXT_MAX);
  const rest = whole.slice(text.length - ELLIPSIS.length).trimStart();
  return { id, text, more: text === whole ? '' : clip(ELLIPSIS + rest, OPTION_TEXT_MAX) };
}

/** Of a long ID, the end: IDs of one service often share a prefix. */
const shownId = (id: string) => FORM.optionId(wellFormed(id).slice(-SHOWN_ID_MAX).toWellFormed());
const SHOWN_ID_MAX = OPTION_TEXT_MAX - FORM.optionId('').length;

/** All options; undefined if they are too many or too large for a menu, which has to be searchable then. */
function shortMenu(items: readonly Choice[]): PlainTextOption[] | undefined {
  if (items.length > SELECT_OPTIONS_MAX) return undefined;
  const options = toOptions(items);
  return Buffer.byteLength(JSON.stringify(options)) <= MENU_BYTES_MAX ? options : undefined;
}

export function searchOptions(items: readonly Choice[], query: string): PlainTextOption[] {
  return toOptions(matching(items, query).slice(0, SELECT_OPTIONS_MAX));
}

/** Characters of a description, which tells similar options apart. */
const DISTINCTION_MAX = 30;

/** For a workflow's step, whose options have no description: it follows their text. */
export const searchStepOptions = (items: readonly Choice[], query: string) =>
  searchOptions(items, query).map(({ text: { text }, value, description }) => {
    const more = description ? ` (${clip(description.text, DISTINCTION_MAX)})` : '';
    const shown = clip(text, OPTION_TEXT_MAX - more.length) + more;
    return { text: { type: 'plain_text', text: shown }, value };
  });

/** Names that start with the query, then names that contain it, then IDs that start with it. */
export function matching<Item extends Choice>(items: readonly Item[], query: string): Item[] {
  const wanted = searchable(query);
  return items
    .map((item) => ({ item, rank: rankOf(item, wanted) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
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

/** A menu for one choice or several, searchable if there are too many to list. */
export function menuFor(
  actionId: string,
  choices: readonly Choice[],
  chosen: readonly (Choice | undefined)[],
  { isList = false } = {},
): InputElement {
  const options = shortMenu(choices);
  const picked = chosen.filter((one) => one !== undefined);
  const values = new Set(picked.map(({ id }) => optionValue(id)));
  const initial = options?.filter(({ value }) => values.has(value ?? '')) ?? toOptions(picked);
  const [initial_option] = initial;
  if (!isList) {
    const selected = { action_id: actionId, ...(initial_option ? { initial_option } : {}) };
    return options
      ? { type: 'static_select', options, ...selected }
      : { type: 'external_select', ...SEARCHED, ...selected };
  }
  const initial_options = options ? initial : initial.slice(0, CHOSEN_MAX);
  const selected = { action_id: actionId, ...(initial_option ? { initial_options } : {}) };
  return options
    ? { type: 'multi_static_select', options, ...selected }
    : { type: 'multi_external_select', ...SEARCHED, max_selected_items: CHOSEN_MAX, ...selected };
}

const SEARCHED = {
  // Show the first choices before anything is typed.
  min_query_length: 0,
  placeholder: plainText(FORM.searchPlaceholder),
};

/** The chosen option. One that is no longer listed is kept, unless only its digest is known: the service has the last word. */
export function readChoice(value: Pick<FieldValue, 'selected_option'>, choices: readonly Choice[]) {
  const { selected_option: selected } = value;
  if (!selected) return undefined;
  const listed = choiceOf(choices, selected.value);
  if (listed) return { id: listed.id, name: listed.name };
  return isDigest(selected.value) ? undefined : { id: selected.value, name: selected.text.text };
}

/** The names chosen in a menu, in the same way. */
export function readNames(value: FieldValue, names: readonly string[]) {
  const chosen = value.selected_options ?? [value.selected_option ?? []].flat();
  const choices = asChoices(names);
  return chosen.flatMap((one) => readChoice({ selected_option: one }, choices)?.id ?? []);
}

export const withChosen = (listed: readonly Choice[], chosen: Choice | undefined) =>
  !chosen || listed.some(({ id }) => id === chosen.id) ? listed : [chosen, ...listed];

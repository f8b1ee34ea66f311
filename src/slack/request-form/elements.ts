import type { InputBlock, RichTextBlock } from '@slack/types';
import type { FormattedText } from '../../requests/request.ts';
import type { FieldValue } from '../surface/views.ts';
import { plainText } from '../text/blocks.ts';
import { CHOSEN_MAX, clip, isBlank, PLAIN_TEXT_INPUT_MAX, typedText } from '../text/limits.ts';
import { FORM } from '../words/request-form.ts';
import { type Choice, choiceOf, isDigest, optionsOf, optionValue, shortMenu } from './options.ts';

type InputElement = InputBlock['element'];

const placeholderOf = (placeholder: string | undefined) =>
  placeholder ? { placeholder: plainText(placeholder) } : {};

export type TextOptions = {
  maxLength?: number;
  multiline?: boolean;
  placeholder?: string | undefined;
};

export const textInput = (
  actionId: string,
  initial: string | undefined,
  { maxLength = PLAIN_TEXT_INPUT_MAX, multiline, placeholder }: TextOptions = {},
): InputElement => ({
  type: 'plain_text_input',
  action_id: actionId,
  max_length: maxLength,
  ...(multiline ? { multiline } : {}),
  ...placeholderOf(placeholder),
  ...(initial ? { initial_value: clip(initial, maxLength) } : {}),
});

export const richTextInput = (
  actionId: string,
  initial: FormattedText | undefined,
  placeholder: string | undefined,
): InputElement => ({
  type: 'rich_text_input',
  action_id: actionId,
  ...placeholderOf(placeholder),
  ...(initial?.elements.length ? { initial_value: asRichText(initial) } : {}),
});

/** A menu, searchable if there are too many choices to list. */
export function choiceMenu(
  actionId: string,
  choices: readonly Choice[],
  chosen: Choice | undefined,
): InputElement {
  const { options, initial } = menuOf(choices, chosen ? [chosen] : []);
  const selected = initial[0] ? { initial_option: initial[0] } : {};
  return options
    ? { type: 'static_select', action_id: actionId, options, ...selected }
    : { type: 'external_select', action_id: actionId, ...SEARCHED, ...selected };
}

/** The same for multiple choices. */
export function listMenu(
  actionId: string,
  choices: readonly Choice[],
  chosen: readonly Choice[],
): InputElement {
  const { options, initial } = menuOf(choices, chosen);
  const initial_options = options ? initial : initial.slice(0, CHOSEN_MAX);
  const selected = initial.length > 0 ? { initial_options } : {};
  if (options) return { type: 'multi_static_select', action_id: actionId, options, ...selected };
  const searched = { ...SEARCHED, max_selected_items: CHOSEN_MAX };
  return { type: 'multi_external_select', action_id: actionId, ...searched, ...selected };
}

const SEARCHED = {
  // Show the first choices before anything is typed.
  min_query_length: 0,
  ...placeholderOf(FORM.searchPlaceholder),
};

/** A menu's options (undefined if it is searchable), and the chosen ones. */
function menuOf(choices: readonly Choice[], chosen: readonly Choice[]) {
  const options = shortMenu(choices);
  const values = new Set(chosen.map(({ id }) => optionValue(id)));
  const initial = (options ?? optionsOf(chosen, choices)).filter(({ value }) =>
    values.has(value ?? ''),
  );
  return { options, initial };
}

/** The chosen option. One that is no longer listed is kept: the service has the last word. */
export function readChoice(value: FieldValue, choices: readonly Choice[]): Choice | undefined {
  const { selected_option: selected } = value;
  if (!selected) return undefined;
  const listed = choiceOf(choices, selected.value);
  if (listed) return { id: listed.id, name: listed.name };
  return isDigest(selected.value) ? undefined : { id: selected.value, name: selected.text.text };
}

export function chosenValues(field: FieldValue): string[] {
  const { selected_option: one, selected_options: several } = field;
  return (several ?? (one ? [one] : [])).map(({ value }) => value);
}

/** The names chosen in a menu. One that is no longer listed is kept; a digest is looked up in the lists. */
export function readNames(value: FieldValue, lists: Iterable<readonly string[]>): string[] {
  const values = chosenValues(value);
  const digests = new Set(values.filter(isDigest));
  const names = new Map<string, string>();
  for (const list of lists) {
    if (names.size === digests.size) break;
    for (const name of list) {
      const option = optionValue(name);
      if (digests.has(option)) names.set(option, name);
    }
  }
  return values.flatMap((option) => (isDigest(option) ? (names.get(option) ?? []) : option));
}

/** The typed text, trimmed; undefined if blank. */
export function readText(value: string | null | undefined): string | undefined {
  const text = typedText(value ?? '').trim();
  return isBlank(text) ? undefined : text;
}

/** Only Slack's editor writes the texts of a form. */
export const asRichText = (text: FormattedText): RichTextBlock => text as RichTextBlock;

/** Values separated by commas or lines. */
export function readTypedList(value: string | null | undefined): string[] {
  return [...new Set((value ?? '').split(/[,\n]/).flatMap((part) => readText(part) ?? []))];
}

/** Adds the chosen option if the service doesn't list it (any more). */
export const withChosen = (listed: readonly Choice[], chosen: Choice | undefined) =>
  !chosen || listed.some(({ id }) => id === chosen.id) ? listed : [chosen, ...listed];

export const nonBlankLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** A domain, perhaps with a port and a path, as people write it. */
const WITHOUT_SCHEME = /^(?:[\p{L}\p{N}-]+\.)+[\p{L}-][\p{L}\p{N}-]+(?::\d+)?(?:[/?#]\S*)?$/u;

/** The address that a browser opens for a text; undefined for anything but a single address. */
export function webLinkOf(text: string): string | undefined {
  const url = WITHOUT_SCHEME.test(text) ? `https://${text}` : text;
  return /^https?:\/\/\S+$/i.test(url) && URL.canParse(url) ? url : undefined;
}

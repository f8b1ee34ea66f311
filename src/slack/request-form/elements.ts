import type { ViewStateValue } from '@slack/bolt';
import type { InputBlock, RichTextBlock } from '@slack/types';
import { clip, isBlank, SELECT_OPTIONS_MAX } from '../text/limits.ts';
import { typedText } from '../text/typed.ts';
import { type Choice, choiceOf, menuOf, optionValue, toOptions } from './options.ts';

type InputElement = InputBlock['element'];

const OPTION_DIGEST = /^sha256-[0-9a-f]{64}$/;

export function textInput(
  actionId: string,
  initial: string | undefined,
  options: { maxLength: number; multiline?: boolean; placeholder?: string },
): InputElement {
  return {
    type: 'plain_text_input',
    action_id: actionId,
    max_length: options.maxLength,
    ...(options.multiline ? { multiline: true } : {}),
    ...(options.placeholder
      ? { placeholder: { type: 'plain_text', text: options.placeholder } }
      : {}),
    ...(initial ? { initial_value: clip(initial, options.maxLength) } : {}),
  };
}

/** A menu of up to 100 choices, a type-ahead search of more. */
export function choiceMenu(
  actionId: string,
  choices: readonly Choice[],
  chosen: Choice | undefined,
): InputElement {
  const options = toOptions(choices);
  const initial = chosen && options.find(({ value }) => value === optionValue(chosen.id));
  const selected = initial ? { initial_option: initial } : {};
  return options.length > SELECT_OPTIONS_MAX && SEARCHED.has(actionId)
    ? { type: 'external_select', action_id: actionId, min_query_length: 0, ...selected }
    : { type: 'static_select', action_id: actionId, ...menuOf(options), ...selected };
}

/** The menus that are long enough to search; the others are shown in groups. */
const SEARCHED = new Set(['requestType', 'brand']);

export function listMenu(
  actionId: string,
  choices: readonly Choice[],
  chosen: readonly string[],
): InputElement {
  const options = toOptions(choices);
  const values = new Set(chosen.map(optionValue));
  const initial = options.filter(({ value }) => values.has(value ?? ''));
  return {
    type: 'multi_static_select',
    action_id: actionId,
    ...menuOf(options),
    ...(initial.length > 0 ? { initial_options: initial } : {}),
  };
}

/** The choice in a menu; one that is not listed any more is still taken at its word. */
export function readChoice(value: ViewStateValue, choices: readonly Choice[]): Choice | undefined {
  return value.selected_option ? chosenOf(value.selected_option, choices) : undefined;
}

/** What was typed, without space around it; undefined where there is nothing to read in it. */
export function readText(value: string | null | undefined): string | undefined {
  const text = typedText(value ?? '').trim();
  return isBlank(text) ? undefined : text;
}

/** What was chosen in a list menu, or typed where there was none to choose from, commas between. */
export function readListed(value: ViewStateValue, choices: readonly Choice[]): string[] {
  if (value.selected_options) {
    return value.selected_options.flatMap((option) => chosenOf(option, choices)?.id ?? []);
  }
  return (value.value ?? '').split(',').flatMap((part) => readText(part) ?? []);
}

type SelectedOption = NonNullable<ViewStateValue['selected_option']>;

function chosenOf({ value, text }: SelectedOption, choices: readonly Choice[]): Choice | undefined {
  const listed = choiceOf(choices, value);
  if (listed) return { id: listed.id, name: listed.name };
  return OPTION_DIGEST.test(value) ? undefined : { id: value, name: text.text };
}

/** What was chosen if it is still on offer, else the only one on offer. */
export function onlyOrChosen(offered: readonly string[], chosen: string | undefined) {
  const name = chosen !== undefined && offered.includes(chosen) ? chosen : undefined;
  const only = offered.length === 1 ? offered[0] : undefined;
  const picked = name ?? only;
  return picked === undefined ? undefined : { id: picked, name: picked };
}

/** What was chosen stays on offer, also where the service does not list it (now). */
export function withChosen(
  listed: readonly Choice[],
  chosen: Choice | undefined,
): readonly Choice[] {
  const isListed = !chosen || listed.some(({ id }) => id === chosen.id);
  return isListed ? listed : [chosen, ...listed];
}

export function richTextInput(actionId: string, initial: RichTextBlock | undefined): InputElement {
  return {
    type: 'rich_text_input',
    action_id: actionId,
    ...(initial ? { initial_value: initial } : {}),
  };
}

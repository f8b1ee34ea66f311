import type { StateValue } from '../../stand-ins/slack/block-kit/state-value.ts';
import { asText, type JsonObject, objectsOf } from '../../stand-ins/slack/json.ts';
import type { OpenView } from '../../stand-ins/slack/state/views.ts';
import { textOf } from '../../stand-ins/slack/views/elements.ts';
import { wrap } from './columns.ts';
import { LABEL_COLUMNS, labelled } from './labelled.ts';
import { type Look, narrower } from './look.ts';
import { withoutControls, wordByWord } from './mrkdwn.ts';
import { richTextAsText } from './rich-text.ts';

/** How many options of a menu are shown, and how many characters of each. */
const OPTIONS_SHOWN = 8;
const OPTION_CHARACTERS = 24;
const NOTHING = '—';

/** One input of a modal: its label, value, and options. */
export function fieldAsLines(block: JsonObject, open: OpenView, look: Look): string[] {
  const [element = {}] = objectsOf([block.element]);
  const { columns, paint } = narrower(look, LABEL_COLUMNS);
  const label = withoutControls(textOf(block.label)) + (block.optional === true ? '' : ' *');
  const value = open.values[asText(block.block_id)]?.[asText(element.action_id)];
  const error = open.errors[asText(block.block_id)];
  const isFilled = value !== undefined && textIn(value, look) !== '';
  const below = [
    isFilled ? '' : offered(element),
    error === undefined ? '' : `⚠️ ${withoutControls(error)}`,
  ]
    .filter(Boolean)
    .flatMap((line) => wrap(line, columns))
    .map((line) => ' '.repeat(LABEL_COLUMNS) + paint.dim(line));
  return [...labelled(label, held(element, value, look), look), ...below];
}

function held(element: JsonObject, value: StateValue | undefined, look: Look): string {
  if (element.type === 'checkboxes') return boxes(element, value);
  const text = value ? withoutControls(textIn(value, look)) : '';
  if (text) return text + (isMenu(element) ? ' ▾' : '');
  const placeholder = withoutControls(textOf(element.placeholder));
  return wordByWord((placeholder || NOTHING) + (isMenu(element) ? ' ▾' : ''), look.paint.dim);
}

const isMenu = ({ type }: JsonObject) => asText(type).endsWith('_select');

function textIn(value: StateValue, look: Look): string {
  if (value.rich_text_value) return richTextAsText(value.rich_text_value, look);
  if (value.selected_conversation) return look.nameOf(value.selected_conversation);
  if (value.selected_option) return textOf(value.selected_option.text);
  if (value.selected_options) {
    return value.selected_options.map(({ text }) => textOf(text)).join(', ');
  }
  return value.value ?? '';
}

function boxes(element: JsonObject, value: StateValue | undefined): string {
  const ticked = new Set(value?.selected_options?.map((option) => option.value));
  return objectsOf(element.options)
    .map((option) => `[${ticked.has(option.value) ? 'x' : ' '}] ${textOf(option.text)}`)
    .join('  ');
}

function offered(element: JsonObject): string {
  if (element.type === 'external_select') return 'type to search';
  const options = isMenu(element) ? objectsOf(element.options).map(({ text }) => textOf(text)) : [];
  if (options.length === 0) return '';
  const names = options.slice(0, OPTIONS_SHOWN).map((name) => clipped(withoutControls(name)));
  const more = options.length - names.length;
  return `offers ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const clipped = (name: string) =>
  name.length > OPTION_CHARACTERS ? `${name.slice(0, OPTION_CHARACTERS - 1)}…` : name;

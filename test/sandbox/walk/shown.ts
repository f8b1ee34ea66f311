import type { StateValue } from '../../stand-ins/slack/block-kit/view-state.ts';
import { asText, isObject, type JsonObject, objectsOf } from '../../stand-ins/slack/json.ts';
import type { Message, OpenView } from '../../stand-ins/slack/state/model.ts';
import { textOf } from '../../stand-ins/slack/views/elements.ts';
import { textOfMessage, textsIn } from '../../stand-ins/slack/views/shown-text.ts';

/** The name that people see for the ID of a person or channel, for example `@Ann` or `#general`. */
export type NameOf = (id: string) => string;

/** The texts of a message, line by line; only the pages show what it looks like. */
export function messageAsLines(message: Message, nameOf: NameOf): string[] {
  const head = `${nameOf(message.userId)} in ${nameOf(message.channelId)}`;
  return [head, ...framed([textOfMessage(message)], nameOf)];
}

export function viewAsLines(open: OpenView, nameOf: NameOf): string[] {
  const { title, submit, close, blocks } = open.view;
  const shown = objectsOf(blocks).flatMap((block) =>
    block.type === 'input' ? fieldAsLine(block, open) : textsIn(block),
  );
  const buttons = [close, submit].map(textOf).filter(Boolean).join(', ');
  return [`Modal “${textOf(title)}”`, ...framed([...shown, `(${buttons})`], nameOf)];
}

/** A card as the service's API returns it, with the API's own names. */
export const cardAsLines = (card: JsonObject): string[] =>
  framed([JSON.stringify(card, null, 2)], (id) => id);

function fieldAsLine(block: JsonObject, open: OpenView): string {
  const element = isObject(block.element) ? block.element : {};
  const blockId = asText(block.block_id);
  const value = open.values[blockId]?.[asText(element.action_id)];
  const error = open.errors[blockId];
  const label = textOf(block.label) + (block.optional === true ? '' : ' *');
  return `${label}: ${(value && textIn(value)) || '—'}${error ? ` (${error})` : ''}`;
}

function textIn(value: StateValue): string {
  const { selected_conversation: conversation, selected_option: option } = value;
  if (value.rich_text_value) return textsIn(value.rich_text_value).join(' ');
  if (conversation) return `<#${conversation}>`;
  const chosen = option ? [option] : (value.selected_options ?? []);
  return value.value ?? chosen.map(({ text }) => textOf(text)).join(', ');
}

/** Control characters of a text must not reach the terminal. Line feeds stay. */
const CONTROL = /(?!\n)\p{Cc}/gu;

function framed(texts: readonly string[], nameOf: NameOf): string[] {
  return texts
    .map((text) => readable(text.replaceAll(CONTROL, ''), nameOf))
    .flatMap((text) => text.split('\n'))
    .map((line) => `│ ${line}`);
}

/** Slack's mrkdwn with names for IDs, and addresses beside what links are called. */
function readable(mrkdwn: string, nameOf: NameOf): string {
  return mrkdwn
    .replaceAll(/<[@#](\w+)[^<>]*>/g, (_all, id: string) => nameOf(id))
    .replaceAll(/<!date[^<>|]*\|([^<>]*)>/g, '$1')
    .replaceAll(/<(https?:[^<>|]*)\|([^<>]*)>/g, '$2 → $1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

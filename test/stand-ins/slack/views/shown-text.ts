import { asText, isObject, type JsonObject } from '../json.ts';
import type { Ephemeral, Message, OpenView, Pane } from '../state/model.ts';

const TEXT_TYPES = new Set(['plain_text', 'mrkdwn', 'text']);
const NOT_SHOWN = new Set(['app_unfurl_url', 'confirm', 'private_metadata', 'preview']);

function own(node: JsonObject): string | undefined {
  const type = asText(node.type);
  if (TEXT_TYPES.has(type)) return asText(node.text);
  if (type === 'link') return asText(node.text) || asText(node.url);
  if (type === 'user') return `<@${asText(node.user_id)}>`;
  return type === 'image' ? asText(node.alt_text) : undefined;
}

export function textsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsIn);
  if (!isObject(node)) return [];
  const text = own(node);
  if (text !== undefined && node.type !== 'image') return [text];
  const inner = Object.entries(node)
    .filter(([name]) => !NOT_SHOWN.has(name))
    .flatMap(([, value]) => textsIn(value));
  return text === undefined ? inner : [text, ...inner];
}

/** The text of a message as people see it, including unfurls, one line per text. */
export function textOfMessage(message: Message | Ephemeral): string {
  const { blocks, text, attachments } = message;
  const body = blocks.length > 0 ? textsIn(blocks) : [text];
  const entities = 'entities' in message ? message.entities.map(({ entity }) => entity) : [];
  const previews = attachments.flatMap(({ blocks: shown }) => textsIn(shown));
  return [...body, ...previews, ...entities.flatMap(ofEntity)].filter(Boolean).join('\n');
}

const ENTITY_TEXTS = ['label', 'value', 'text', 'alt_text', 'display_type'];

function ofEntity(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(ofEntity);
  if (!isObject(node)) return [];
  return Object.entries(node).flatMap(([name, value]) =>
    ENTITY_TEXTS.includes(name) && typeof value !== 'object' ? [String(value)] : ofEntity(value),
  );
}

/** The text of the details of a Work Object, or of the error shown instead, with the buttons. */
export function textOfPane({ entity, error }: Pane): string {
  if (!error) return ofEntity(entity?.entity_payload).join('\n');
  const { custom_title: title, custom_message: message, actions } = error;
  return [asText(title), asText(message), ...ofEntity(actions)].filter(Boolean).join('\n');
}

export function textOfView(open: OpenView): string {
  const { title, submit, close, blocks } = open.view;
  const shown = [title, blocks, submit, close].flatMap(textsIn);
  const wrong = [...Object.values(open.errors), open.notice ?? ''];
  return [...shown, ...wrong].filter(Boolean).join('\n');
}

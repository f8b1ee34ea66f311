import { asObject, isObject, type JsonObject, parseJson } from '../stand-ins/slack/json.ts';
import type { Slack } from '../stand-ins/slack/server.ts';

/** Calls that show a message. */
const MESSAGE_METHODS = new Set([
  'chat.postMessage',
  'chat.postEphemeral',
  'chat.update',
  'response_url',
]);

/**
 * What is wrong with the messages, previews, and views that the app has sent: a message without a
 * text, which is all that a phone's notification shows; a button in a message, preview, or Home tab that a
 * screen reader can't tell apart from that of another card or request; a view without a title.
 */
export function flawsOf({ apiCalls, deliveries }: Slack): string[] {
  const calls = apiCalls.flatMap(({ method, args }) => [
    ...(MESSAGE_METHODS.has(method) ? flawsOfMessage(contentOf(args)) : []),
    ...(method === 'chat.unfurl' ? objectsIn(parsed(args.unfurls)).flatMap(flawsOfButton) : []),
    ...objectsIn(parsed(args.metadata)).flatMap(flawsOfAction),
    ...(method === 'entity.presentDetails'
      ? objectsIn(parsed(args.error)).flatMap(flawsOfAction)
      : []),
    ...(method.startsWith('views.') ? flawsOfView(parsed(args.view)) : []),
  ]);
  const answers = deliveries
    .flatMap(({ attempts }) => attempts)
    .map(({ body }) => parsed(body))
    .filter(isObject)
    .flatMap(({ view }) => (view === undefined ? [] : flawsOfView(view)));
  return [...new Set([...calls, ...answers])];
}

/** A response_url gets its content as a body. */
const contentOf = (args: JsonObject): JsonObject =>
  args.body === undefined ? args : asObject(parsed(args.body));

function flawsOfMessage({ text, blocks, delete_original }: JsonObject): string[] {
  const hasText = typeof text === 'string' && text.trim() !== '';
  return [
    ...(hasText || delete_original === true ? [] : [`a message without a text: ${blocks}`]),
    ...objectsIn(parsed(blocks)).flatMap(flawsOfButton),
  ];
}

function flawsOfView(view: unknown): string[] {
  if (!isObject(view)) return [];
  // Of a modal, everything belongs to one card or request, which its text names.
  if (view.type === 'home') return objectsIn(view.blocks).flatMap(flawsOfButton);
  const title = isObject(view.title) ? view.title.text : undefined;
  return typeof title === 'string' && title.trim() !== '' ? [] : ['a view without a title'];
}

/** Buttons with a value or a URL belong to a card or a request; there may be several. */
function flawsOfButton({ type, text, value, url, accessibility_label: label }: JsonObject) {
  if (type !== 'button' || (value === undefined && url === undefined)) return [];
  const shown = isObject(text) ? String(text.text) : '';
  const isNamed = typeof label === 'string' && label.startsWith(shown) && label !== shown;
  return isNamed ? [] : [`a button “${shown}” whose label doesn’t say of what`];
}

/** An action of a Work Object, which is like a button. */
const flawsOfAction = ({ action_id, text, ...action }: JsonObject) =>
  action_id === undefined ? [] : flawsOfButton({ ...action, type: 'button', text: { text } });

/** Slack takes JSON as text, too. */
const parsed = (value: unknown): unknown => (typeof value === 'string' ? parseJson(value) : value);

function objectsIn(value: unknown): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

import type { PlacedElement, StateValue } from '../block-kit/view-state.ts';
import { asObject, asText, isObject, type JsonObject, objectsOf } from '../json.ts';
import { isShared, isVisibleTo } from '../state/conversations.ts';
import { addFile, type FileOptions, fileOutput } from '../state/files.ts';
import type { Channel, User } from '../state/model.ts';
import { channelOf, type SlackState } from '../state/state.ts';
import { textOf } from '../views/elements.ts';

/** An option by its value, since two options may have the same text. */
export interface OptionRef {
  value: string;
}

/** The option with that text or value. Throws if there is none, listing what exists. */
export function choose(options: JsonObject[], wanted: string | OptionRef): JsonObject {
  const found =
    typeof wanted === 'string'
      ? options.find((option) => textOf(option.text) === wanted)
      : options.find((option) => option.value === wanted.value);
  if (found) return found;
  const there = options.map((option) => textOf(option.text)).join(', ');
  const name = typeof wanted === 'string' ? wanted : wanted.value;
  throw new Error(`There is no option "${name}", only: ${there || 'none'}`);
}

/** A file chosen from a person's disk, or one that they uploaded to Slack before. */
type ChosenFile = FileOptions | { id: string };

/**
 * What a person enters in a field: text (also for rich text), a rich_text block, one or more options by
 * text or value (in a searched menu also `{search, choose}`), a channel, true or false for a single checkbox, files,
 * or null to empty it.
 */
export type FieldValue =
  | string
  | string[]
  | OptionRef
  | OptionRef[]
  | boolean
  | JsonObject
  | Channel
  | ChosenFile[]
  | Search
  | Search[]
  | null;

export type Lookup = (query: string) => Promise<JsonObject[]>;

type Fill = (
  placed: PlacedElement,
  value: FieldValue,
  tools: { state: SlackState; user: User; lookup: Lookup },
) => Omit<StateValue, 'type'> | Promise<Omit<StateValue, 'type'>>;

function wrongValue({ element }: PlacedElement, value: unknown): never {
  throw new Error(`${JSON.stringify(value)} cannot be put into a ${asText(element.type)}`);
}

function texts(placed: PlacedElement, value: FieldValue): string[] {
  if (value === null || value === '' || value === false) return [];
  const list = Array.isArray(value) ? value : [value];
  return list.map((item) => (typeof item === 'string' ? item : wrongValue(placed, value)));
}

/** In a searched menu: the query, and the option to choose. */
interface Search {
  search: string;
  choose: string | OptionRef;
}

function isSearch(value: unknown): value is Search {
  return isObject(value) && typeof value.search === 'string';
}

function searchesIn(placed: PlacedElement, value: FieldValue): Search[] {
  if (value === null || value === '' || value === false) return [];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.map((item) => {
    if (typeof item === 'string') return { search: item, choose: item };
    if (isSearch(item)) return item;
    const option = asText(asObject(item).value);
    return option ? { search: '', choose: { value: option } } : wrongValue(placed, value);
  });
}

/** Slack's client doesn't let people choose more. */
function withinMost({ element }: PlacedElement, chosen: JsonObject[]): JsonObject[] {
  const { max_selected_items: most } = element;
  if (typeof most !== 'number' || chosen.length <= most) return chosen;
  throw new Error(`This menu takes ${most} choices, not ${chosen.length}`);
}

function idIn(placed: PlacedElement, value: FieldValue): string | null {
  if (value === null || typeof value === 'string') return value;
  if (isObject(value) && typeof value.id === 'string') return value.id;
  return wrongValue(placed, value);
}

/** A rich_text block as Slack's composer makes it from typed lines. */
function richTextOf(text: string): JsonObject {
  const section = { type: 'rich_text_section', elements: [{ type: 'text', text }] };
  return { type: 'rich_text', elements: [section] };
}

const richText: Fill = (placed, value) => {
  if (value === null || value === '') return {};
  if (isObject(value)) return { rich_text_value: value };
  return { rich_text_value: richTextOf(texts(placed, value)[0] ?? '') };
};

/** Among the options of a menu, or those that the app finds for what is searched. */
async function chosenIn(placed: PlacedElement, value: FieldValue, lookup: Lookup) {
  const { type, options } = placed.element;
  if (type === 'checkboxes' && value === true) return objectsOf(options).slice(0, 1);
  const searches = searchesIn(placed, value).map(async ({ search, choose: option }) =>
    choose(options === undefined ? await lookup(search) : objectsOf(options), option),
  );
  return Promise.all(searches);
}

const oneOption: Fill = async (placed, value, { lookup }) => {
  const [option = null] = await chosenIn(placed, value, lookup);
  return { selected_option: option };
};

const manyOptions: Fill = async (placed, value, { lookup }) => ({
  selected_options: withinMost(placed, await chosenIn(placed, value, lookup)),
});

function passes(state: SlackState, channel: Channel, filter: JsonObject): boolean {
  const { include, exclude_external_shared_channels, exclude_bot_users } = filter;
  if (Array.isArray(include) && !include.includes(channel.kind)) return false;
  if (exclude_external_shared_channels === true && isShared(channel)) return false;
  const withBot = [...channel.members].some((id) => state.users.get(id)?.isBot);
  return !(exclude_bot_users === true && channel.kind === 'im' && withBot);
}

export function offeredConversations(state: SlackState, user: User, element: JsonObject) {
  const filter = asObject(element.filter);
  return [...state.channels.values()].filter(
    (channel) => isVisibleTo(user, channel) && !channel.archived && passes(state, channel, filter),
  );
}

/** Throws if a conversations menu wouldn't list the conversation for the person. */
function mustBeOffered(
  state: SlackState,
  user: User,
  element: JsonObject,
  channelId: string,
): void {
  const channel = channelOf(state, channelId);
  if (offeredConversations(state, user, element).includes(channel)) return;
  throw new Error(`The menu does not offer #${channel.name} to ${user.name}`);
}

const oneConversation: Fill = (placed, value, { state, user }) => {
  const id = idIn(placed, value);
  if (id !== null) mustBeOffered(state, user, placed.element, id);
  return { selected_conversation: id };
};

/** Uploads what is chosen. The app gets access to it, since it is in its form. */
const files: Fill = (placed, value, { state, user }) => {
  if (value !== null && !Array.isArray(value)) return wrongValue(placed, value);
  const { max_files: most = MAX_FILES } = placed.element;
  const owner = { workspaceId: user.teamId, userId: user.id };
  const uploaded = objectsOf(value).map((chosen) => {
    const known = state.files.get(asText(chosen.id));
    if (known) return known;
    const name = asText(chosen.name);
    if (name === '') return wrongValue(placed, value);
    return addFile(state, owner, { ...chosen, name });
  });
  if (typeof most === 'number' && uploaded.length > most) {
    throw new Error(`This field takes ${most} files, not ${uploaded.length}`);
  }
  return { files: uploaded.map((file) => fileOutput(state, file)) };
};

/** Of a file_input without `max_files`. Source: @slack/types. */
const MAX_FILES = 10;

const FILLS = new Map<unknown, Fill>([
  ['plain_text_input', (placed, value) => ({ value: texts(placed, value)[0] ?? null })],
  ['rich_text_input', richText],
  ['static_select', oneOption],
  ['multi_static_select', manyOptions],
  ['checkboxes', manyOptions],
  ['external_select', oneOption],
  ['multi_external_select', manyOptions],
  ['conversations_select', oneConversation],
  ['datepicker', (placed, value) => ({ selected_date: texts(placed, value)[0] ?? null })],
  ['file_input', files],
]);

/** Throws if the element doesn't accept such a value or has no such option. */
export async function valueFor(
  placed: PlacedElement,
  value: FieldValue,
  tools: { state: SlackState; user: User; lookup: Lookup },
): Promise<StateValue> {
  const fill = FILLS.get(placed.element.type);
  if (!fill) return wrongValue(placed, value);
  return { type: asText(placed.element.type), ...(await fill(placed, value, tools)) };
}

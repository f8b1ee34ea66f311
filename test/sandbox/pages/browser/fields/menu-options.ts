import type { StateValue } from '../../../../stand-ins/slack/block-kit/state-value.ts';
import { asText, type JsonObject, objectsOf } from '../../../../stand-ins/slack/json.ts';
import type { FieldInput } from '../../protocol/acts.ts';
import type { ViewShown, WorkspaceSnapshot } from '../../protocol/workspace.ts';
import { wordsOf } from '../blocks/text-object.tsx';

/** An option of a menu; options of one group are listed together under its name. */
export type MenuOption = { value: string; text: string; description?: string; group?: string };

const optionOf = (option: JsonObject, group?: string): MenuOption => ({
  value: asText(option.value),
  text: wordsOf(option.text),
  description: wordsOf(option.description),
  ...(group ? { group } : {}),
});

/** All options of a menu; none for a searched menu, whose options come from the search. */
export function offeredBy(
  element: JsonObject,
  shown: ViewShown,
  { people, conversations }: WorkspaceSnapshot,
): MenuOption[] {
  const kind = asText(element.type).replace(/^multi_/, '');
  if (kind === 'users_select') return people.map(({ id, name }) => ({ value: id, text: name }));
  if (kind === 'conversations_select' || kind === 'channels_select') {
    const offered = shown.offered[asText(element.action_id)];
    return conversations
      .filter((one) => (offered ? offered.includes(one.id) : one.kind === 'public'))
      .map(({ id, name, kind: of }) => ({ value: id, text: of === 'im' ? name : `#${name}` }));
  }
  const groups = objectsOf(element.option_groups).flatMap((group) =>
    objectsOf(group.options).map((option) => optionOf(option, wordsOf(group.label))),
  );
  return [...objectsOf(element.options).map((option) => optionOf(option)), ...groups];
}

/** The chosen options whose names are known. */
export function chosenIn(value: StateValue | undefined): MenuOption[] {
  if (!value) return [];
  const { selected_option: one, selected_options: many } = value;
  const ids = [
    value.selected_conversation,
    value.selected_channel,
    value.selected_user,
    ...(value.selected_conversations ?? []),
    ...(value.selected_channels ?? []),
    ...(value.selected_users ?? []),
  ].filter((id) => typeof id === 'string');
  return [
    ...[one, ...(many ?? [])].flatMap((option) => (option ? optionOf(option) : [])),
    ...ids.map((id) => ({ value: id, text: id })),
  ];
}

const HELD_BY_ID = /(?:conversations|channels|users)_select$/;

/** The choice in the sandbox's format. */
export function inputOf(element: JsonObject, values: string[]): FieldInput {
  const type = asText(element.type);
  const isMany = type.startsWith('multi_');
  if (HELD_BY_ID.test(type)) return isMany ? values : (values[0] ?? null);
  const options = values.map((value) => ({ value }));
  return isMany ? options : (options[0] ?? null);
}

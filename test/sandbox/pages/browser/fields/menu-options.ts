import type { StateValue } from '../../../../stand-ins/slack/block-kit/state-value.ts';
import { asText, type JsonObject, objectsOf } from '../../../../stand-ins/slack/json.ts';
import type { FieldInput } from '../../protocol/acts.ts';
import type { ViewShown, WorkspaceSnapshot } from '../../snapshots/workspace-snapshot.ts';
import { wordsOf } from '../blocks/text-object.tsx';

export type MenuOption = { value: string; text: string; description?: string };

const optionOf = (option: JsonObject): MenuOption => ({
  value: asText(option.value),
  text: wordsOf(option.text),
  description: wordsOf(option.description),
});

/** All options of a menu; none for a searched menu, whose options come from the search. */
export function offeredBy(
  element: JsonObject,
  shown: ViewShown,
  { conversations }: WorkspaceSnapshot,
): MenuOption[] {
  if (element.type === 'conversations_select') {
    const offered = shown.offered[asText(element.action_id)];
    return conversations
      .filter(({ id }) => offered?.includes(id))
      .map(({ id, name, kind }) => ({ value: id, text: kind === 'im' ? name : `#${name}` }));
  }
  return objectsOf(element.options).map(optionOf);
}

/** The chosen options whose names are known. */
export function chosenIn(value: StateValue | undefined): MenuOption[] {
  if (!value) return [];
  const { selected_option: one, selected_options: many, selected_conversation: id } = value;
  return [
    ...[one, ...(many ?? [])].flatMap((option) => (option ? optionOf(option) : [])),
    ...(id ? [{ value: id, text: id }] : []),
  ];
}

/** The choice in the sandbox's format. */
export function inputOf(element: JsonObject, values: string[]): FieldInput {
  const type = asText(element.type);
  if (type === 'conversations_select') return values[0] ?? null;
  const options = values.map((value) => ({ value }));
  return type.startsWith('multi_') ? options : (options[0] ?? null);
}

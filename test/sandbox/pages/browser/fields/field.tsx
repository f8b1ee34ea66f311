import { type ComponentType, useId } from 'react';
import { asObject, asText, type JsonObject } from '../../../../stand-ins/slack/json.ts';
import { wordsOf } from '../blocks/text-object.tsx';
import { Alert } from '../shell/alert.tsx';
import { Checkboxes } from './choices.tsx';
import { FileInput } from './file-input.tsx';
import { Menu } from './menu.tsx';
import { type FieldOf, useOpenView } from './open-view.tsx';
import { RichTextInput } from './rich-text-input.tsx';
import { TextInput } from './text-input.tsx';

// Add new kinds of inputs here.
const INPUTS = new Map<unknown, ComponentType<{ field: FieldOf }>>([
  ['plain_text_input', TextInput],
  ['datepicker', TextInput],
  ['rich_text_input', RichTextInput],
  ['static_select', Menu],
  ['external_select', Menu],
  ['conversations_select', Menu],
  ['multi_static_select', Menu],
  ['multi_external_select', Menu],
  ['checkboxes', Checkboxes],
  ['file_input', FileInput],
]);

/** These consist of several elements, so they are named groups instead of having a label. */
const GROUPS = new Set<unknown>(['checkboxes', 'rich_text_input']);

export function Field({ block }: { block: JsonObject }) {
  const id = useId();
  const { shown } = useOpenView();
  const element = asObject(block.element);
  const blockId = asText(block.block_id);
  const actionId = asText(element.action_id);
  const label = wordsOf(block.label);
  const hint = wordsOf(block.hint);
  const error = shown.errors[blockId];
  const Input = INPUTS.get(element.type);
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  const field: FieldOf = {
    id,
    blockId,
    actionId,
    element,
    label,
    value: shown.values[blockId]?.[actionId],
    describedBy: described || undefined,
    invalid: error !== undefined,
    required: block.optional !== true,
  };
  const name = (
    <>
      {label}
      {block.optional === true ? <span className="optional"> (optional)</span> : null}
    </>
  );
  return (
    <div
      className="stack field"
      data-invalid={error !== undefined || undefined}
      data-focus={element.focus_on_load === true || undefined}
    >
      {GROUPS.has(element.type) ? (
        <span className="label" id={`${id}-label`}>
          {name}
        </span>
      ) : (
        <label className="label" htmlFor={id}>
          {name}
        </label>
      )}
      {Input ? <Input field={field} /> : <p className="faint">({asText(element.type)})</p>}
      <Alert className="field-error" id={`${id}-error`}>
        {error}
      </Alert>
      {hint ? (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}

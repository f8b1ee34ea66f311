import { useCallback, useEffect, useRef, useState } from 'react';
import type { StateValue } from '../../../../stand-ins/slack/block-kit/view-state.ts';
import { type FieldOf, placeholderOf, useOpenView } from './open-view.tsx';

/** What is typed is sent after a pause this long, in ms. */
const PAUSE_MS = 150;

const heldBy = (value: StateValue | undefined): string =>
  value?.value ?? value?.selected_date ?? '';

/** A text field; Slack sends its value to the app only with the view. */
export function TextInput({ field }: { field: FieldOf }) {
  const { id, element } = field;
  const { fill, beforeSending } = useOpenView();
  const held = heldBy(field.value);
  const [text, setText] = useState(held);
  const box = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const unsent = useRef<{ text: string; timer: number }>(undefined);

  const give = useCallback(() => {
    if (!unsent.current) return;
    clearTimeout(unsent.current.timer);
    const typed = unsent.current.text;
    unsent.current = undefined;
    void fill(field, typed === '' ? null : typed);
  }, [fill, field]);

  useEffect(() => beforeSending(give), [beforeSending, give]);
  // The field may be filled from elsewhere, so send what this person typed first.
  useEffect(() => {
    if (!unsent.current && document.activeElement !== box.current) setText(held);
  }, [held]);

  function typed(next: string) {
    setText(next);
    clearTimeout(unsent.current?.timer);
    unsent.current = { text: next, timer: window.setTimeout(give, PAUSE_MS) };
  }

  const shared = {
    ref: box,
    id,
    value: text,
    className: 'input',
    placeholder: placeholderOf(element),
    'aria-describedby': field.describedBy,
    'aria-invalid': field.invalid,
    'aria-required': field.required,
    onBlur: give,
  };
  const most = Number(element.max_length);
  const left = most - text.length;
  const counter =
    most > 0 && left < most / 4 ? (
      <span className="characters-left" data-none={left < 0 || undefined}>
        {left}
      </span>
    ) : null;
  return (
    <div className="text-input">
      {element.multiline === true ? (
        <textarea {...shared} rows={4} onChange={({ target }) => typed(target.value)} />
      ) : (
        <input
          {...shared}
          type={element.type === 'datepicker' ? 'date' : 'text'}
          autoComplete="off"
          onChange={({ target }) => typed(target.value)}
        />
      )}
      {counter}
    </div>
  );
}

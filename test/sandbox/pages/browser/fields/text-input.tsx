import { type FieldOf, placeholderOf, useOpenView, useValue } from './open-view.tsx';

/** A text field or a date; Slack sends its value to the app only with the view. */
export function TextInput({ field }: { field: FieldOf }) {
  const { id, element, value } = field;
  const { fill } = useOpenView();
  const [text, give] = useValue(value?.value ?? value?.selected_date ?? '', (typed) =>
    fill(field, typed === '' ? null : typed),
  );
  const shared = {
    id,
    value: text,
    className: 'input',
    placeholder: placeholderOf(element),
    'aria-describedby': field.describedBy,
    'aria-invalid': field.invalid,
    'aria-required': field.required,
    onChange: ({ target }: { target: { value: string } }) => give(target.value),
  };
  const most = Number(element.max_length);
  const left = most - text.length;
  return (
    <div className="text-input">
      {element.multiline === true ? (
        <textarea {...shared} rows={4} />
      ) : (
        <input
          {...shared}
          type={element.type === 'datepicker' ? 'date' : 'text'}
          autoComplete="off"
        />
      )}
      {most > 0 && left < most / 4 ? (
        <span className="characters-left" data-none={left < 0 || undefined}>
          {left}
        </span>
      ) : null}
    </div>
  );
}

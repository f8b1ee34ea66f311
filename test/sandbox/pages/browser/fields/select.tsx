import { Icon } from '../shell/icon.tsx';
import { type FieldOf, placeholderOf } from './open-view.tsx';
import { OptionList } from './option-list.tsx';
import { useListbox } from './use-listbox.ts';
import { useMenu } from './use-menu.ts';

/** A menu with one choice; typing filters or searches it. */
export function Select({ field }: { field: FieldOf }) {
  const menu = useMenu(field);
  const [chosen] = menu.chosen;
  const listbox = useListbox(field, menu, (option) => {
    menu.choose([option.value]);
    menu.setOpen(false);
    menu.setQuery('');
  });
  return (
    <div className="select" data-open={menu.open || undefined}>
      <input
        {...listbox.input}
        className="input select-input"
        placeholder={chosen?.text ?? (placeholderOf(field.element) || 'Choose an option')}
        value={menu.open ? menu.query : (chosen?.text ?? '')}
      />
      {chosen && !field.required ? (
        <button
          type="button"
          className="select-clear"
          aria-label={`Clear ${field.label}`}
          onClick={() => menu.choose([])}
        >
          <Icon name="cross" />
        </button>
      ) : null}
      <Icon name="chevron" />
      {menu.open ? <OptionList {...listbox.list} isMany={false} /> : null}
    </div>
  );
}

export function MultiSelect({ field }: { field: FieldOf }) {
  const menu = useMenu(field);
  const values = menu.chosen.map(({ value }) => value);
  const most = Number(field.element.max_selected_items ?? Number.POSITIVE_INFINITY);
  const listbox = useListbox(field, menu, ({ value }) => {
    const without = values.filter((one) => one !== value);
    if (without.length < values.length) menu.choose(without);
    else if (values.length < most) menu.choose([...values, value]);
    menu.setQuery('');
  });
  return (
    <div className="select multi-select" data-open={menu.open || undefined}>
      <div className="input chosen-many">
        {menu.chosen.map(({ value, text }) => (
          <span key={value} className="chip">
            {text}
            <button
              type="button"
              aria-label={`Remove ${text}`}
              onClick={() => menu.choose(values.filter((one) => one !== value))}
            >
              <Icon name="cross" />
            </button>
          </span>
        ))}
        <input
          {...listbox.input}
          placeholder={
            menu.chosen.length > 0 ? '' : placeholderOf(field.element) || 'Choose options'
          }
          value={menu.query}
          onKeyDown={(event) => {
            if (event.key === 'Backspace' && menu.query === '') menu.choose(values.slice(0, -1));
            listbox.input.onKeyDown(event);
          }}
        />
      </div>
      {menu.open ? <OptionList {...listbox.list} isMany /> : null}
    </div>
  );
}

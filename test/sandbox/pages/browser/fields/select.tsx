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

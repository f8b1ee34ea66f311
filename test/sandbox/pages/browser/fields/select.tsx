import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Icon } from '../shell/icon.tsx';
import { type FieldOf, placeholderOf } from './open-view.tsx';
import { type MenuOption, useMenu } from './use-menu.ts';

/** A field with a list that opens below it (w3.org/WAI/ARIA/apg/patterns/combobox). */
function useListbox(
  field: FieldOf,
  menu: ReturnType<typeof useMenu>,
  onChoose: (option: MenuOption) => void,
) {
  const { options, open, setOpen, setQuery } = menu;
  const [active, setActive] = useState(0);
  const listId = `${field.id}-list`;
  const at = Math.min(active, options.length - 1);

  function onKeyDown(event: KeyboardEvent) {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (open) setActive((at + step + options.length) % Math.max(options.length, 1));
      setOpen(true);
    } else if (event.key === 'Enter' && open) {
      event.preventDefault();
      const option = options[at];
      if (option) onChoose(option);
    } else if (event.key === 'Escape' && open) {
      // Closes the menu, not the surrounding window.
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  }

  function close() {
    setOpen(false);
    setQuery('');
  }

  return {
    input: {
      id: field.id,
      role: 'combobox',
      type: 'text',
      autoComplete: 'off',
      'aria-autocomplete': 'list' as const,
      'aria-expanded': open,
      'aria-controls': open ? listId : undefined,
      'aria-activedescendant': open && at >= 0 ? optionId(listId, at) : undefined,
      'aria-describedby': field.describedBy,
      'aria-invalid': field.invalid,
      'aria-required': field.required,
      onClick: () => setOpen(true),
      onBlur: close,
      onKeyDown,
      onChange: ({ target }: { target: { value: string } }) => {
        setOpen(true);
        setActive(0);
        setQuery(target.value);
      },
    },
    list: {
      id: listId,
      label: `Options of ${field.label}`,
      options,
      note: menu.note,
      /** The option selected with the arrow keys. */
      active: at,
      chosen: menu.chosen.map(({ value }) => value),
      onChoose,
    },
  };
}

type Props = ReturnType<typeof useListbox>['list'] & { isMany: boolean };

const optionId = (listId: string, index: number) => `${listId}-${index}`;

function OptionList({ id, label, options, note, active, chosen, isMany, onChoose }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  });
  return (
    <div className="options">
      <div
        ref={list}
        className="option-list"
        role="listbox"
        id={id}
        aria-label={label}
        aria-multiselectable={isMany || undefined}
      >
        {options.map((option, index) => (
          <div
            key={option.value}
            role="option"
            id={optionId(id, index)}
            className="option"
            tabIndex={-1}
            aria-selected={chosen.includes(option.value)}
            data-active={index === active || undefined}
            onMouseDown={(event) => {
              event.preventDefault();
              onChoose(option);
            }}
          >
            {option.text}
            {option.description ? <small>{option.description}</small> : null}
          </div>
        ))}
      </div>
      {note ? (
        <p className="option-note" role="status">
          {note}
        </p>
      ) : null}
    </div>
  );
}

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
    <div className="select" data-open={menu.open || undefined}>
      <div className="wrap input chosen-many">
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

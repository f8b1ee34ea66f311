import { type KeyboardEvent, useState } from 'react';
import type { FieldOf } from './open-view.tsx';
import { optionId } from './option-list.tsx';
import type { MenuOption, useMenu } from './use-menu.ts';

/** A field with a list that opens below it (w3.org/WAI/ARIA/apg/patterns/combobox). */
export function useListbox(
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
      active: at,
      chosen: menu.chosen.map(({ value }) => value),
      onChoose,
    },
  };
}

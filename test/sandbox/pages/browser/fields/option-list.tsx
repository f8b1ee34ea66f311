import { useEffect, useRef } from 'react';
import type { MenuOption } from './use-menu.ts';

type Props = {
  id: string;
  label: string;
  options: MenuOption[];
  note: string | undefined;
  /** The option selected with the arrow keys. */
  active: number;
  chosen: string[];
  isMany: boolean;
  onChoose(option: MenuOption): void;
};

export const optionId = (listId: string, index: number) => `${listId}-${index}`;

export function OptionList({ id, label, options, note, active, chosen, isMany, onChoose }: Props) {
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

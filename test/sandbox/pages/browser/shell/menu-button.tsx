import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';

type Props = {
  label: string;
  className: string;
  items: { id: string; text: string; note?: string }[];
  onChoose(id: string): void;
  isBusy?: boolean;
  children: ReactNode;
};

/** Between the button and its menu, in px. */
const GAP_PX = 4;

/** A button with a menu (w3.org/WAI/ARIA/apg/patterns/menu-button). */
export function MenuButton({
  label,
  className,
  items: listed,
  onChoose,
  isBusy = false,
  children,
}: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);

  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  function show() {
    const [at, shown] = [button.current?.getBoundingClientRect(), menu.current];
    if (!at || !shown) return;
    shown.showPopover();
    // Where there is room: above the composer, below a message's tools.
    const { offsetHeight: height, offsetWidth: width } = shown;
    const below = at.bottom + GAP_PX;
    const top = below + height > innerHeight ? at.top - GAP_PX - height : below;
    shown.style.insetBlockStart = `${top}px`;
    shown.style.insetInlineStart = `${Math.max(at.right - width, GAP_PX)}px`;
    items()[0]?.focus();
  }
  function onKeyDown(event: KeyboardEvent) {
    // Not the keys of the messages around it.
    event.stopPropagation();
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const targets: Record<string, number> = {
      ArrowDown: (at + 1) % all.length,
      ArrowUp: (at + all.length - 1) % all.length,
      Home: 0,
      End: all.length - 1,
    };
    const target = targets[event.key];
    if (event.key === 'Tab') menu.current?.hidePopover();
    if (target === undefined) return;
    event.preventDefault();
    all[target]?.focus();
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-busy={isBusy}
        // A disabled button would lose the focus.
        aria-disabled={isBusy}
        onClick={() => {
          if (!isBusy) show();
        }}
      >
        {children}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className="menu"
        onToggle={({ newState }) => setOpen(newState === 'open')}
        onKeyDown={onKeyDown}
      >
        {listed.map(({ id: item, text, note }) => (
          <button
            key={item}
            type="button"
            role="menuitem"
            tabIndex={-1}
            className="menu-item"
            onClick={() => {
              menu.current?.hidePopover();
              // The focus goes back there with the menu.
              button.current?.focus();
              onChoose(item);
            }}
          >
            {text}
            {note === undefined ? null : <small>{note}</small>}
          </button>
        ))}
      </div>
    </>
  );
}

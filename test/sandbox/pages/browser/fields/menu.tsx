import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { StateValue } from '../../../../stand-ins/slack/block-kit/view-state.ts';
import { asText, type JsonObject, objectsOf } from '../../../../stand-ins/slack/json.ts';
import type { FieldInput } from '../../acts/workspace-acts.ts';
import { wordsOf } from '../blocks/text-object.tsx';
import { Icon } from '../shell/icon.tsx';
import { useSlack } from '../workspace/slack-context.ts';
import { type FieldOf, placeholderOf, useOpenView, useValue } from './open-view.tsx';

type MenuOption = { value: string; text: string; description?: string };

const optionOf = (option: JsonObject): MenuOption => ({
  value: asText(option.value),
  text: wordsOf(option.text),
  description: wordsOf(option.description),
});

/** The options that match a query, and what the menu says if there are none. */
function useOptions(field: FieldOf, query: string, isOpen: boolean) {
  const { element, actionId } = field;
  const { shown } = useOpenView();
  const { conversations } = useSlack().snapshot;
  const isSearched = asText(element.type).endsWith('external_select');
  const found = useSearch(field, query, isSearched && isOpen);
  const inMenu = conversations
    .filter(({ id }) => shown.offered[actionId]?.includes(id))
    .map(({ id, name, kind }) => ({ value: id, text: kind === 'im' ? name : `#${name}` }));
  const fixed: MenuOption[] = [...inMenu, ...objectsOf(element.options).map(optionOf)];
  const wanted = query.trim().toLocaleLowerCase();
  const matching = fixed.filter(({ text }) => text.toLocaleLowerCase().includes(wanted));
  const listed = isSearched ? found : matching;
  if (typeof listed === 'string') return { fixed, options: [], note: listed };
  return { fixed, options: listed, note: listed.length === 0 ? 'No results' : undefined };
}

function chosenIn(value: StateValue | undefined, fixed: MenuOption[]): MenuOption[] {
  const conversation = fixed.find((option) => option.value === value?.selected_conversation);
  if (conversation) return [conversation];
  return objectsOf(value?.selected_options ?? [value?.selected_option]).map(optionOf);
}

/** The choice in the sandbox's format. */
function inputOf(type: string, chosen: MenuOption[]): FieldInput {
  const options = chosen.map(({ value }) => ({ value }));
  if (type === 'conversations_select') return chosen[0]?.value ?? null;
  return type.startsWith('multi_') ? options : (options[0] ?? null);
}

/** Slack asks the app after a pause this long, in ms. */
const PAUSE_MS = 120;

/** What the app answers to a search, or what the menu says instead. */
function useSearch(field: FieldOf, query: string, isOn: boolean): MenuOption[] | string {
  const { search } = useOpenView();
  const [found, setFound] = useState<MenuOption[] | string>([]);
  // Asked when the query changes, not whenever the view is redrawn.
  const ask = useRef(() => search(field, query));
  ask.current = () => search(field, query);
  useEffect(() => {
    if (!isOn) return undefined;
    let still = true;
    setFound('Loading…');
    const show = (result: MenuOption[] | string) => {
      if (still) setFound(result);
    };
    const failed = 'Result failed to load';
    const start = () =>
      ask.current().then(
        ({ options = failed }) => show(options),
        () => show(failed),
      );
    const timer = setTimeout(start, query ? PAUSE_MS : 0);
    return () => {
      still = false;
      clearTimeout(timer);
    };
  }, [isOn, query]);
  return found;
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

function useMenu(field: FieldOf) {
  const { element } = field;
  const type = asText(element.type);
  const isMany = type.startsWith('multi_');
  const most = Number(element.max_selected_items ?? Number.POSITIVE_INFINITY);
  const { fill } = useOpenView();
  const [query, setQuery] = useState('');
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const { fixed, options, note } = useOptions(field, query, open);
  const [chosen, choose] = useValue(chosenIn(field.value, fixed), (next) =>
    fill(field, inputOf(type, next)),
  );
  const at = Math.min(active, options.length - 1);
  const listId = useId();
  const without = (value: string) => chosen.filter((one) => one.value !== value);

  function close() {
    setOpen(false);
    setQuery('');
  }

  function pick(option: MenuOption) {
    setQuery('');
    const others = without(option.value);
    if (!isMany) {
      setOpen(false);
      choose([option]);
    } else if (others.length < chosen.length) choose(others);
    else if (chosen.length < most) choose([...chosen, option]);
  }

  function step(by: number) {
    if (open) setActive((at + by + options.length) % Math.max(options.length, 1));
    setOpen(true);
  }

  function onKeyDown(event: KeyboardEvent) {
    const { key } = event;
    if (isMany && key === 'Backspace' && query === '') choose(chosen.slice(0, -1));
    const by = STEPS[key];
    if (by === undefined && !(open && ['Enter', 'Escape'].includes(key))) return;
    event.preventDefault();
    // Escape closes the menu, not the surrounding window.
    event.stopPropagation();
    if (by !== undefined) step(by);
    else if (key === 'Escape') close();
    else options.slice(at, at + 1).forEach(pick);
  }

  const input = {
    id: field.id,
    type: 'text',
    role: 'combobox',
    autoComplete: 'off',
    'aria-autocomplete': 'list' as const,
    'aria-expanded': open,
    'aria-controls': open ? listId : undefined,
    'aria-activedescendant': open && at >= 0 ? `${listId}-${at}` : undefined,
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
  };
  const list = { id: listId, options, at, note, chosen, isMany, pick };
  return { isMany, chosen, choose, without, open, query, input, list };
}

/** A menu with a list that opens below it (w3.org/WAI/ARIA/apg/patterns/combobox). */
export function Menu({ field }: { field: FieldOf }) {
  const { element, label, required } = field;
  const { isMany, chosen, choose, without, open, query, input, list } = useMenu(field);
  const [first] = chosen;
  const placeholder = placeholderOf(element) || `Choose ${isMany ? 'options' : 'an option'}`;
  return (
    <div className="select" data-open={open || undefined}>
      {isMany ? (
        <div className="wrap input chosen-many">
          {chosen.map(({ value, text }) => (
            <span key={value} className="chip">
              {text}
              <Cross label={`Remove ${text}`} onClick={() => choose(without(value))} />
            </span>
          ))}
          <input {...input} placeholder={first ? '' : placeholder} value={query} />
        </div>
      ) : (
        <>
          <input
            {...input}
            className="input select-input"
            placeholder={first?.text ?? placeholder}
            value={open ? query : (first?.text ?? '')}
          />
          {first && !required ? (
            <Cross className="select-clear" label={`Clear ${label}`} onClick={() => choose([])} />
          ) : null}
          <Icon name="chevron" />
        </>
      )}
      {open ? <OptionList {...list} label={`Options of ${label}`} /> : null}
    </div>
  );
}

const Cross = ({ label, ...rest }: { label: string; className?: string; onClick(): void }) => (
  <button type="button" aria-label={label} {...rest}>
    <Icon name="cross" />
  </button>
);

function OptionList(props: ReturnType<typeof useMenu>['list'] & { label: string }) {
  const { id, label, options, at, note, chosen, isMany, pick } = props;
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
            id={`${id}-${index}`}
            className="option"
            tabIndex={-1}
            aria-selected={chosen.some(({ value }) => value === option.value)}
            data-active={index === at || undefined}
            onMouseDown={(event) => {
              event.preventDefault();
              pick(option);
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

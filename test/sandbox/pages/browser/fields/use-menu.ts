import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { StateValue } from '../../../../stand-ins/slack/block-kit/view-state.ts';
import { asText, type JsonObject, objectsOf } from '../../../../stand-ins/slack/json.ts';
import type { FieldInput } from '../../acts/workspace-acts.ts';
import type { ViewShown, WorkspaceSnapshot } from '../../snapshots/workspace-snapshot.ts';
import { wordsOf } from '../blocks/text-object.tsx';
import { useSlack } from '../workspace/slack-context.ts';
import { type FieldOf, useOpenView } from './open-view.tsx';

export type MenuOption = { value: string; text: string; description?: string };

const optionOf = (option: JsonObject): MenuOption => ({
  value: asText(option.value),
  text: wordsOf(option.text),
  description: wordsOf(option.description),
});

/** All options of a menu; none for a searched menu, whose options come from the search. */
function offeredBy(
  element: JsonObject,
  shown: ViewShown,
  { conversations }: WorkspaceSnapshot,
): MenuOption[] {
  if (element.type === 'conversations_select') {
    const offered = shown.offered[asText(element.action_id)];
    return conversations
      .filter(({ id }) => offered?.includes(id))
      .map(({ id, name, kind }) => ({ value: id, text: kind === 'im' ? name : `#${name}` }));
  }
  return objectsOf(element.options).map(optionOf);
}

function chosenIn(value: StateValue | undefined): MenuOption[] {
  if (!value) return [];
  const { selected_option: one, selected_options: many, selected_conversation: id } = value;
  return [
    ...[one, ...(many ?? [])].flatMap((option) => (option ? optionOf(option) : [])),
    ...(id ? [{ value: id, text: id }] : []),
  ];
}

/** The choice in the sandbox's format. */
function inputOf(element: JsonObject, values: string[]): FieldInput {
  const type = asText(element.type);
  if (type === 'conversations_select') return values[0] ?? null;
  const options = values.map((value) => ({ value }));
  return type.startsWith('multi_') ? options : (options[0] ?? null);
}

/** The choice in a field: shown at once, and replaced by the sandbox's value, `held`, as soon as that arrives. */
export function useChosen(
  held: string[],
  send: (values: string[]) => Promise<void>,
): [string[], (values: string[]) => void] {
  const [mine, setMine] = useState<string[]>();
  function choose(values: string[]) {
    setMine(values);
    void send(values).finally(() => setMine((now) => (now === values ? undefined : now)));
  }
  return [mine ?? held, choose];
}

/** Slack asks the app after a pause this long, in ms. */
const PAUSE_MS = 120;
/** Letters before a searched menu asks the app, by default. Source: Slack's documentation. */
const DEFAULT_MIN_QUERY = 3;

/** What a searched menu says instead of options. */
export type MenuNote = 'Loading…' | 'Type to search' | 'No results' | 'Result failed to load';

export function useMenu(field: FieldOf) {
  const { element } = field;
  const { fill, search, shown } = useOpenView();
  const { snapshot } = useSlack();
  const isSearched = String(element.type).endsWith('external_select');
  const least = Number(element.min_query_length ?? DEFAULT_MIN_QUERY);
  const [query, setQuery] = useState('');
  const [open, setOpen] = useState(false);
  const [found, setFound] = useState<MenuOption[]>([]);
  const [note, setNote] = useState<MenuNote>();
  const known = useRef(new Map<string, MenuOption>());

  const fixed = useMemo(() => offeredBy(element, shown, snapshot), [element, shown, snapshot]);
  const heldOptions = chosenIn(field.value);
  const held = heldOptions.map(({ value }) => value);
  const [values, choose] = useChosen(held, (next) => fill(field, inputOf(element, next)));
  const named = [...heldOptions, ...known.current.values(), ...fixed];
  const chosen = values.map(
    (value) => named.findLast((option) => option.value === value) ?? { value, text: value },
  );

  const ask = useCallback(
    async (asked: string, isStill: () => boolean) => {
      if (asked.length < least) {
        setFound([]);
        setNote('Type to search');
        return;
      }
      setNote('Loading…');
      const result = await search(field, asked).catch(() => undefined);
      if (!isStill()) return;
      const options = result?.options;
      for (const option of options ?? []) known.current.set(option.value, option);
      setFound(options ?? []);
      setNote(
        options ? (options.length === 0 ? 'No results' : undefined) : 'Result failed to load',
      );
    },
    [search, field, least],
  );

  // Repeated when the query changes, not whenever the view is redrawn.
  const asking = useRef(ask);
  asking.current = ask;
  useEffect(() => {
    if (!isSearched || !open) return;
    let still = true;
    const timer = setTimeout(() => asking.current(query, () => still), query ? PAUSE_MS : 0);
    return () => {
      still = false;
      clearTimeout(timer);
    };
  }, [isSearched, open, query]);

  const wanted = query.trim().toLocaleLowerCase();
  const options = isSearched
    ? found
    : fixed.filter(({ text }) => text.toLocaleLowerCase().includes(wanted));
  const said = isSearched ? note : options.length === 0 ? 'No results' : undefined;
  return { chosen, choose, options, note: said, query, setQuery, open, setOpen };
}

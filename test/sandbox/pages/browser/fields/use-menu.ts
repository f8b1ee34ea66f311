import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSlack } from '../workspace/slack-context.tsx';
import { chosenIn, inputOf, type MenuOption, offeredBy } from './menu-options.ts';
import { type FieldOf, useOpenView } from './open-view.tsx';
import { useChosen } from './use-chosen.ts';

/** Slack asks the app after a pause this long, in ms. */
const PAUSE_MS = 120;
/** Letters before a searched menu asks the app, by default. Source: Slack's documentation. */
const DEFAULT_MIN_QUERY = 3;

/** What a searched menu says instead of options. */
export type MenuNote = 'Loading…' | 'Type to search' | 'No results' | 'Result failed to load';

/** Any kind of menu: its choice, and its options for what was typed. */
export function useMenu(field: FieldOf) {
  const { blockId, actionId, element } = field;
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
  const [values, choose] = useChosen(held, (next) =>
    fill(blockId, actionId, inputOf(element, next)),
  );
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
      const result = await search(blockId, actionId, asked).catch(() => undefined);
      if (!isStill()) return;
      const options = result?.options;
      for (const option of options ?? []) known.current.set(option.value, option);
      setFound(options ?? []);
      setNote(
        options ? (options.length === 0 ? 'No results' : undefined) : 'Result failed to load',
      );
    },
    [search, blockId, actionId, least],
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

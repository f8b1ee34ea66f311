import { useCallback, useEffect, useState } from 'react';

/** The current person and place, kept in the URL, so that a page can be reloaded and shared. */
export type Whereabouts = {
  /** A person's ID; undefined for the person the sandbox starts with. */
  as: string | undefined;
  /** A conversation's ID; undefined for the first. */
  at: string | undefined;
  thread: string | undefined;
  tab: 'home' | undefined;
};

function read(): Whereabouts {
  const query = new URLSearchParams(location.search);
  const get = (name: string) => query.get(name) ?? undefined;
  return {
    as: get('as'),
    at: get('at'),
    thread: get('thread'),
    tab: get('tab') === 'home' ? 'home' : undefined,
  };
}

/** The current person and place, and a function to change them; the browser's Back button works. */
export function useWhereabouts(): [Whereabouts, (to: Partial<Whereabouts>) => void] {
  const [here, setHere] = useState(read);
  useEffect(() => {
    const back = () => setHere(read());
    window.addEventListener('popstate', back);
    return () => window.removeEventListener('popstate', back);
  }, []);
  const go = useCallback((to: Partial<Whereabouts>) => {
    const next = { ...read(), ...to };
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(next)) if (value) query.set(name, value);
    history.pushState(null, '', `${location.pathname}?${query}`);
    setHere(next);
  }, []);
  return [here, go];
}

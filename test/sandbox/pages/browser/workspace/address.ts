import { useCallback, useEffect, useState } from 'react';

/** Whom one is, and where: kept in the address, so that a page can be reloaded and shared. */
export type Whereabouts = {
  /** A person's id; undefined for whoever the sandbox begins with. */
  as: string | undefined;
  /** A conversation's id; undefined for the first. */
  at: string | undefined;
  /** The message whose thread is open. */
  thread: string | undefined;
};

function read(): Whereabouts {
  const query = new URLSearchParams(location.search);
  const get = (name: string) => query.get(name) ?? undefined;
  return { as: get('as'), at: get('at'), thread: get('thread') };
}

/** Where one is, and how one goes elsewhere; the browser's own Back works. */
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

import { useCallback, useEffect, useState } from 'react';

export type Query = {
  /** A person's ID; undefined for the person the sandbox starts with. */
  as?: string | undefined;
  /** A conversation's ID; undefined for the first. */
  at?: string | undefined;
  thread?: string | undefined;
  /** `home` for the app's Home tab. */
  tab?: string | undefined;
  /** In the dashboard, the ID of the card that is open. */
  card?: string | undefined;
};

const read = (): Query => Object.fromEntries(new URLSearchParams(location.search));

/** What the URL says, so that a page can be reloaded and shared, and what changes it; the browser's Back button works. */
export function useQuery(): [Query, (to: Query) => void] {
  const [here, setHere] = useState(read);
  useEffect(() => {
    const back = () => setHere(read());
    window.addEventListener('popstate', back);
    return () => window.removeEventListener('popstate', back);
  }, []);
  const go = useCallback((to: Query) => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...read(), ...to }))
      if (value) query.set(name, value);
    history.pushState(null, '', `${location.pathname}${query.size > 0 ? '?' : ''}${query}`);
    setHere(read());
  }, []);
  return [here, go];
}

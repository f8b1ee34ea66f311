import { useCallback, useState } from 'react';
import type { Acknowledgment } from '../../protocol/acts.ts';

/** Slack waits this long for an acknowledgment, in ms. Source: Slack's documentation. */
export const SLACK_LIMIT_MS = 3_000;
/** How long the result stays on the screen, in ms. */
const SHOWN_MS = 6_000;

/** A delivery to the app, and how long it took to answer. */
export type Wait = { id: number; what: string; told: Acknowledgment | undefined };

let nextId = 1;

/** The deliveries that wait for the app. */
export function useWaits() {
  const [waits, setWaits] = useState<Wait[]>([]);
  const begin = useCallback((what: string) => {
    const id = nextId++;
    setWaits((all) => [...all.filter(({ told }) => !told), { id, what, told: undefined }]);
    return (told: Acknowledgment | undefined) => {
      const leave = () => setWaits((all) => all.filter((one) => one.id !== id));
      if (!told) return leave();
      setWaits((all) => all.map((one) => (one.id === id ? { ...one, told } : one)));
      setTimeout(leave, SHOWN_MS);
      return undefined;
    };
  }, []);
  return { waits, begin };
}

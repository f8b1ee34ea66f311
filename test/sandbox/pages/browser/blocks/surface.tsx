import { createContext, use, useState } from 'react';
import type { ActResult, Place } from '../../protocol/acts.ts';
import { openable } from '../text/external-link.tsx';
import { useSlack } from '../workspace/slack-context.tsx';

/** Where blocks stand: in a message, in what hangs on it, or in a view. */
export const SurfaceContext = createContext<Place | undefined>(undefined);

type Pressed = { blockId: string; actionId: string; option?: string; url?: string; name: string };

/** Presses elements of the surface around; says which is being pressed, and what went wrong. */
export function usePress() {
  const at = use(SurfaceContext);
  const { act } = useSlack();
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function press({ blockId, actionId, option, url, name }: Pressed): Promise<void> {
    if (!at || pending) return;
    // Opened at once: a browser opens no window for what was pressed a while ago.
    const target = url ? openable(url) : undefined;
    if (target) window.open(target, '_blank', 'noreferrer');
    setPending(true);
    setProblem(undefined);
    const pressing = act({ do: 'press', at, blockId, actionId, ...(option && { option }) }, name);
    setProblem(await pressing.then(problemOf, wordsOf));
    setPending(false);
  }

  return { press, pending, problem };
}

const problemOf = ({ told }: ActResult) =>
  told?.acknowledged === false ? 'The app did not answer in time.' : undefined;

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

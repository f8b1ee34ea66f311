import { createContext, use, useState } from 'react';
import type { ActResult, Place } from '../../acts/workspace-acts.ts';
import { openable } from '../text/external-link.tsx';
import { useSlack } from '../workspace/slack-context.ts';

/** Where blocks are: in a message, in its attachment, or in a view. */
export const SurfaceContext = createContext<Place | undefined>(undefined);

type Pressed = { blockId: string; actionId: string; option?: string; url?: string; name: string };

/** Presses elements of the surrounding surface; reports which one is being pressed, and errors. */
export function usePress() {
  const at = use(SurfaceContext);
  const { act } = useSlack();
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function press({ blockId, actionId, option, url, name }: Pressed): Promise<void> {
    if (!at || pending) return;
    // Opened at once, since browsers block windows that open some time after a click.
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

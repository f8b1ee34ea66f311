import { createContext, use } from 'react';
import type { ActResult, WorkspaceAct } from '../../protocol/acts.ts';
import type { WorkspaceSnapshot } from '../../protocol/workspace.ts';

/** The Slack in front of the person, and what they can do there. */
export type SlackInFront = {
  snapshot: WorkspaceSnapshot;
  /**
   * Does something and resolves when the page shows what came of it. What is told to the app is
   * watched meanwhile, under `waitingFor`, against Slack's three seconds. Rejects with words.
   */
  act(act: WorkspaceAct, waitingFor?: string): Promise<ActResult>;
};

export const SlackContext = createContext<SlackInFront | undefined>(undefined);

export function useSlack(): SlackInFront {
  const slack = use(SlackContext);
  if (!slack) throw new Error('There is no Slack around this.');
  return slack;
}

import { createContext, use } from 'react';
import type { ActResult, WorkspaceAct } from '../../protocol/acts.ts';
import type { WorkspaceSnapshot } from '../../snapshots/workspace-snapshot.ts';

export type SlackInFront = {
  snapshot: WorkspaceSnapshot;
  /**
   * Does something and resolves when the page shows the result. Deliveries to the app are timed meanwhile, under the
   * name `waitingFor`, against Slack's three seconds. Rejects with a message for the page.
   */
  act(act: WorkspaceAct, waitingFor?: string): Promise<ActResult>;
};

export const SlackContext = createContext<SlackInFront | undefined>(undefined);

export function useSlack(): SlackInFront {
  const slack = use(SlackContext);
  if (!slack) throw new Error('There is no Slack context.');
  return slack;
}

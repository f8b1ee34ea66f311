import { createContext, use } from 'react';
import type { Acknowledgment, ActResult, WorkspaceAct } from '../../acts/workspace-acts.ts';
import type { WorkspaceSnapshot } from '../../snapshots/workspace-snapshot.ts';
import type { Query } from '../shell/use-query.ts';

export function namesIn({ people, conversations }: WorkspaceSnapshot) {
  const users = new Map(people.map(({ id, realName }) => [id, realName]));
  const channels = new Map(
    conversations.map(({ id, name, kind }) => [id, `${kind.endsWith('im') ? '@' : '#'}${name}`]),
  );
  return {
    userName: (id: string) => users.get(id) ?? id,
    /** With the sign before it: # for channels, @ for direct conversations. */
    channelName: (id: string) => channels.get(id) ?? '#private-channel',
  };
}

export const roleOf = ({ isAdmin, guest }: WorkspaceSnapshot['people'][number]): string =>
  isAdmin ? 'admin' : guest ? 'guest' : 'member';

/** A delivery to the app, and how the app answered, once it has. */
export type Wait = { id: number; what: string; told: Acknowledgment | undefined };

export type SlackInFront = {
  here: Query;
  go(to: Query): void;
  snapshot: WorkspaceSnapshot;
  names: ReturnType<typeof namesIn>;
  waits: Wait[];
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

import { createContext, type ReactNode, use, useMemo } from 'react';
import type { ActResult, WorkspaceAct } from '../../acts/workspace-acts.ts';
import type {
  ConversationShown,
  PersonShown,
  WorkspaceSnapshot,
} from '../../snapshots/workspace-snapshot.ts';

export type Names = {
  userName(id: string): string;
  /** With the sign before it: # for channels, @ for direct conversations. */
  channelName(id: string): string;
};

const NamesContext = createContext<Names>({ userName: (id) => id, channelName: (id) => `#${id}` });

export const useNames = (): Names => use(NamesContext);

export function NamesOf(props: {
  people: PersonShown[];
  conversations: ConversationShown[];
  children: ReactNode;
}) {
  const { people, conversations, children } = props;
  const names = useMemo(() => {
    const users = new Map(people.map(({ id, name }) => [id, name]));
    const channels = new Map(
      conversations.map(({ id, name, kind }) => [id, `${kind.endsWith('im') ? '@' : '#'}${name}`]),
    );
    return {
      userName: (id: string) => users.get(id) ?? id,
      channelName: (id: string) => channels.get(id) ?? '#private-channel',
    };
  }, [people, conversations]);
  return <NamesContext value={names}>{children}</NamesContext>;
}

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

import { useCallback, useMemo, useRef, useState } from 'react';
import type { WorkspaceAct } from '../../acts/workspace-acts.ts';
import type { ConversationShown, WorkspaceSnapshot } from '../../snapshots/workspace-snapshot.ts';
import { send, useLive } from '../live/use-live.ts';
import { Frame, useFocusBack } from '../shell/frame.tsx';
import { IconButton } from '../shell/icon.tsx';
import { type Query, useQuery } from '../shell/use-query.ts';
import { DetailsPane } from '../work-object/details-pane.tsx';
import { Composer } from './composer.tsx';
import { Conversation, Scroll } from './conversation.tsx';
import { MessageList } from './message-list.tsx';
import { Modal } from './modal.tsx';
import { Rail } from './rail.tsx';
import { Sidebar } from './sidebar.tsx';
import { namesIn, SlackContext, useSlack } from './slack-context.ts';
import { useWaits } from './wait-meters.tsx';
import { WorkflowDialog } from './workflow-dialog.tsx';

/** How many messages by others each conversation has got since the page was opened without being seen. */
function useUnread({ messages, me }: WorkspaceSnapshot, open: string | undefined) {
  const [opened] = useState(() => {
    const all = Object.values(messages).flat();
    return all.map(({ ts }) => ts).toSorted();
  });
  const seen = useRef<Record<string, string>>({});
  const last = messages[open ?? '']?.at(-1);
  if (open && last) seen.current[open] = last.ts;
  return (id: string) =>
    (messages[id] ?? []).filter(
      ({ ts, userId }) => ts > (seen.current[id] ?? opened.at(-1) ?? '') && userId !== me,
    ).length;
}

function Thread(props: { conversation: ConversationShown; ts: string; close: () => void }) {
  const { conversation, ts, close } = props;
  const { snapshot } = useSlack();
  useFocusBack();
  const all = snapshot.messages[conversation.id] ?? [];
  const thread = all.filter((message) => message.ts === ts || message.threadTs === ts);
  return (
    <aside className="thread" aria-label="Thread">
      <header className="row conversation-header">
        <h2>Thread</h2>
        <span className="header-note">{conversation.name}</span>
        <IconButton icon="cross" label="Close thread" onClick={close} />
      </header>
      <Scroll label="Replies" last={thread.at(-1)} notices={0}>
        <MessageList channelId={conversation.id} messages={thread} openThread={undefined} />
      </Scroll>
      <Composer conversation={conversation} threadTs={ts} />
    </aside>
  );
}

export function WorkspacePage() {
  const [here, go] = useQuery();
  // Another person's Slack is another page, without any state of the previous one.
  return <SlackOf key={here.as ?? ''} here={here} go={go} />;
}

type Props = { here: Query; go: (to: Query) => void };

function SlackOf({ here, go }: Props) {
  const query = here.as ? `?as=${encodeURIComponent(here.as)}` : '';
  const live = useLive<WorkspaceSnapshot>(`/live/workspace${query}`);
  const { state: snapshot, whenShown } = live;
  return (
    <Frame page="workspace" live={live}>
      {snapshot ? (
        <SlackShown snapshot={snapshot} whenShown={whenShown} here={here} go={go} />
      ) : null}
    </Frame>
  );
}

function SlackShown(
  props: Props & {
    snapshot: WorkspaceSnapshot;
    whenShown: (revision: number) => Promise<void>;
  },
) {
  const { snapshot, whenShown, here, go } = props;
  const { me, conversations, views } = snapshot;
  const [drawerOpen, setDrawerOpen] = useState(false);
  const [workflowOpen, setWorkflowOpen] = useState(false);
  const { waits, begin } = useWaits();

  const act = useCallback(
    async (what: WorkspaceAct, waitingFor?: string) => {
      const end = waitingFor ? begin(waitingFor) : undefined;
      try {
        const { revision, result } = await send('workspace', { as: me, act: what });
        end?.(result.told);
        await whenShown(revision);
        return result;
      } catch (error) {
        end?.(undefined);
        throw error;
      }
    },
    [begin, me, whenShown],
  );
  const names = useMemo(() => namesIn(snapshot), [snapshot]);
  const goTo = useCallback(
    (to: Query) => {
      setDrawerOpen(false);
      go(to);
    },
    [go],
  );
  const slack = useMemo(
    () => ({ here, go: goTo, snapshot, names, act, waits }),
    [here, goTo, snapshot, names, act, waits],
  );

  const conversation = conversations.find(({ id }) => id === here.at) ?? conversations[0];
  const unread = useUnread(snapshot, conversation?.id);
  const [view] = views.slice(-1);
  return (
    <SlackContext value={slack}>
      <div className="slack" data-drawer={drawerOpen || undefined}>
        {conversation ? (
          <Conversation
            key={conversation.id}
            conversation={conversation}
            openDrawer={() => setDrawerOpen(true)}
          />
        ) : (
          <p className="shell-note">No conversations.</p>
        )}
        {conversation && here.thread ? (
          <Thread
            key={here.thread}
            conversation={conversation}
            ts={here.thread}
            close={() => goTo({ thread: undefined })}
          />
        ) : null}
        {snapshot.pane ? <DetailsPane pane={snapshot.pane} /> : null}
        <Rail />
        <Sidebar
          open={conversation?.id}
          unread={unread}
          openWorkflow={() => {
            setDrawerOpen(false);
            setWorkflowOpen(true);
          }}
        />
        <button
          type="button"
          className="drawer-shade"
          aria-label="Close conversations"
          onClick={() => setDrawerOpen(false)}
        />
      </div>
      {workflowOpen && snapshot.step && !view ? (
        <WorkflowDialog step={snapshot.step} close={() => setWorkflowOpen(false)} />
      ) : null}
      {view ? <Modal view={view} depth={views.length} /> : null}
    </SlackContext>
  );
}

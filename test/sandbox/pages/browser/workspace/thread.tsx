import { useRef } from 'react';
import type { ConversationShown } from '../../snapshots/workspace-snapshot.ts';
import { useFocusBack } from '../shell/frame.tsx';
import { Icon } from '../shell/icon.tsx';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';
import { useSlack } from './names.tsx';
import { useScroll } from './use-scroll.ts';

export function Thread(props: { conversation: ConversationShown; ts: string; close: () => void }) {
  const { conversation, ts, close } = props;
  const { snapshot } = useSlack();
  useFocusBack();
  const all = snapshot.messages[conversation.id] ?? [];
  const thread = all.filter((message) => message.ts === ts || message.threadTs === ts);
  const box = useRef<HTMLDivElement>(null);
  const last = thread.at(-1);
  const isMine = last?.userId === snapshot.me;
  const onScroll = useScroll(box, last && { ts: last.ts, isMine }, 0);
  return (
    <aside className="thread" aria-label="Thread">
      <header className="conversation-header">
        <h2>Thread</h2>
        <span className="header-note">{conversation.name}</span>
        <button type="button" className="icon-button" aria-label="Close thread" onClick={close}>
          <Icon name="cross" />
        </button>
      </header>
      <div
        ref={box}
        className="messages-scroll"
        tabIndex={0}
        role="log"
        aria-label="Replies"
        onScroll={onScroll}
      >
        <div className="messages">
          <MessageList channelId={conversation.id} messages={thread} openThread={undefined} />
        </div>
      </div>
      <Composer conversation={conversation} threadTs={ts} />
    </aside>
  );
}

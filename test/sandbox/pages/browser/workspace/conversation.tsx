import { useEffect, useRef, useState } from 'react';
import { objectsOf } from '../../../../stand-ins/slack/json.ts';
import type { ConversationShown, MessageShown } from '../../snapshots/workspace-snapshot.ts';
import { Blocks, HeadingContext } from '../blocks/blocks.tsx';
import { SurfaceContext } from '../blocks/surface.tsx';
import { MAIN_INPUT } from '../shell/frame.tsx';
import { Icon, IconButton } from '../shell/icon.tsx';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';
import { useSlack } from './slack-context.ts';
import { useRovingMessages } from './use-roving-messages.ts';
import { useScroll } from './use-scroll.ts';
import { WaitMeters } from './wait-meters.tsx';

type Props = { conversation: ConversationShown; openDrawer: () => void };

export function Conversation({ conversation, openDrawer }: Props) {
  const { snapshot, here } = useSlack();
  const { name, kind, sharedWith, hasApp } = conversation;
  const hasHome = conversation.isWithApp && snapshot.hasHome;
  const isChannel = kind === 'public' || kind === 'private';
  return (
    <main className="conversation">
      <header className="row conversation-header">
        <IconButton
          icon="menu"
          className="drawer-button"
          label="Show conversations"
          onClick={openDrawer}
        />
        <h1>
          {kind === 'private' ? <Icon name="lock" /> : isChannel ? <Icon name="hash" /> : null}
          {name}
        </h1>
        {sharedWith.length > 0 ? (
          <span className="shared-note">Shared with {sharedWith.join(', ')}</span>
        ) : null}
        {kind === 'private' ? (
          <span className="header-note">
            {hasApp ? 'The app is in this channel' : 'The app isn’t in this channel'}
          </span>
        ) : null}
        {hasHome ? <AppTabs at={conversation.id} /> : null}
      </header>
      {hasHome && here.tab === 'home' ? (
        <>
          <Home />
          <WaitMeters />
        </>
      ) : (
        <Messages conversation={conversation} />
      )}
    </main>
  );
}

function AppTabs({ at }: { at: string }) {
  const { here, go } = useSlack();
  const tabs = [
    { tab: 'home', name: 'Home' },
    { tab: undefined, name: 'Messages' },
  ];
  return (
    <nav className="row" aria-label="App">
      {tabs.map(({ tab, name }) => (
        <button
          key={name}
          type="button"
          className="app-tab"
          aria-current={tab === here.tab ? 'page' : undefined}
          onClick={() => go({ at, thread: undefined, tab })}
        >
          {name}
        </button>
      ))}
    </nav>
  );
}

function Messages({ conversation }: Pick<Props, 'conversation'>) {
  const { snapshot, go } = useSlack();
  const { id } = conversation;
  const messages = snapshot.messages[id] ?? [];
  const [notices, setNotices] = useState<string[]>([]);
  return (
    <>
      <Scroll label="Messages" last={messages.at(-1)} notices={notices.length}>
        <Beginning conversation={conversation} />
        <MessageList
          channelId={id}
          messages={messages}
          openThread={(ts) => go({ at: id, thread: ts })}
        />
        {notices.map((notice) => (
          <p key={notice} className="faint slackbot" role="alert">
            <strong>Slackbot</strong> Only visible to you
            <span>{notice}</span>
          </p>
        ))}
      </Scroll>
      <Composer
        conversation={conversation}
        say={(notice) => setNotices((all) => [...all.filter((one) => one !== notice), notice])}
      />
      <WaitMeters />
    </>
  );
}

const KEYS = 'Up and Down move between messages, Enter goes into one, and Escape leaves it.';

export function Scroll(props: {
  label: string;
  last: MessageShown | undefined;
  notices: number;
  children: React.ReactNode;
}) {
  const { label, last, notices, children } = props;
  const { snapshot } = useSlack();
  const box = useRef<HTMLDivElement>(null);
  const isMine = last?.userId === snapshot.me;
  const onScroll = useScroll(box, last && { ts: last.ts, isMine }, notices);
  const keys = useRovingMessages(box);
  return (
    <div
      ref={box}
      className="messages-scroll"
      // Scrollable areas must be reachable by keyboard.
      tabIndex={0}
      role="log"
      aria-label={label}
      aria-description={KEYS}
      onScroll={onScroll}
      {...keys}
    >
      <div className="messages">{children}</div>
    </div>
  );
}

function Beginning({ conversation }: { conversation: ConversationShown }) {
  const { kind, name, sharedWith } = conversation;
  const { snapshot } = useSlack();
  const words =
    kind === 'im'
      ? `This is the beginning of your conversation with ${name}.`
      : `This is the very beginning of #${name}.`;
  const [example] = snapshot.commands;
  return (
    <div className="beginning">
      <p>
        <strong>{words}</strong>
      </p>
      {sharedWith.length > 0 ? (
        <p>
          People at {sharedWith.join(', ')} can read this channel, so the app doesn’t show cards
          here.
        </p>
      ) : null}
      {example ? (
        <p>
          Type <code>{example.command}</code> to start, or paste a card link.
        </p>
      ) : (
        <p>The app isn’t installed in this workspace.</p>
      )}
    </div>
  );
}

/** The app's Home tab. Slack tells the app whenever somebody opens it. */
function Home() {
  const { snapshot, act } = useSlack();
  const view = snapshot.home;
  useEffect(() => {
    void act({ do: 'open-app', tab: 'home' }).catch(() => undefined);
  }, [act]);
  return (
    <section id={MAIN_INPUT} className="home" aria-label={`${snapshot.appName} home`} tabIndex={0}>
      {view ? (
        <SurfaceContext value={{ kind: 'view', viewId: view.id }}>
          <HeadingContext value="h2">
            <Blocks blocks={objectsOf(view.view.blocks)} />
          </HeadingContext>
        </SurfaceContext>
      ) : (
        <p className="shell-note">The app hasn’t shown anything here yet.</p>
      )}
    </section>
  );
}

import type { ConversationShown } from '../../snapshots/workspace-snapshot.ts';
import { Avatar } from '../shell/avatar.tsx';
import { Icon } from '../shell/icon.tsx';
import { roleOf, useSlack } from './slack-context.ts';

type Props = {
  open: string | undefined;
  unread: (id: string) => number;
  openWorkflow: () => void;
};

export function Sidebar({ open, unread, openWorkflow }: Props) {
  const { snapshot, go } = useSlack();
  const { conversations, people, workspaces, me, step } = snapshot;
  const myself = people.find(({ id }) => id === me);
  const company = workspaces.find(({ id }) => id === myself?.teamId);
  const role = myself && roleOf(myself);
  const channels = conversations.filter(({ kind }) => kind === 'public' || kind === 'private');
  const direct = conversations.filter(({ kind }) => kind === 'im');
  const groups = [
    { name: 'Channels', list: channels },
    { name: 'Direct messages', list: direct.filter(({ isWithApp }) => !isWithApp) },
    { name: 'Apps', list: direct.filter(({ isWithApp }) => isWithApp) },
  ];
  return (
    <nav className="sidebar" aria-label="Conversations">
      <h2>{company?.name}</h2>
      <p>
        You are <strong>{myself?.realName}</strong>
        {role === 'member' ? '' : `, ${role}`}
      </p>
      {groups
        .filter(({ list }) => list.length > 0)
        .map(({ name, list }) => (
          <section key={name} aria-label={name}>
            <h3>{name}</h3>
            {list.map((conversation) => (
              <ConversationLink
                key={conversation.id}
                conversation={conversation}
                isOpen={conversation.id === open}
                unread={unread(conversation.id)}
                onOpen={() => go({ at: conversation.id, thread: undefined, tab: undefined })}
              />
            ))}
          </section>
        ))}
      {step ? (
        <section aria-label="Workflows">
          <h3>Workflows</h3>
          <button type="button" className="row conversation-link" onClick={openWorkflow}>
            <Icon name="chevron" />
            <span className="clip conversation-name">Create a design request</span>
          </button>
        </section>
      ) : null}
    </nav>
  );
}

function ConversationLink(props: {
  conversation: ConversationShown;
  isOpen: boolean;
  unread: number;
  onOpen: () => void;
}) {
  const { conversation, isOpen, unread, onOpen } = props;
  const { kind, name, sharedWith, isWithApp } = conversation;
  return (
    <button
      type="button"
      className="row conversation-link"
      aria-current={isOpen ? 'true' : undefined}
      data-unread={unread > 0 || undefined}
      onClick={onOpen}
    >
      {kind === 'im' ? (
        <Avatar name={name} isApp={isWithApp} />
      ) : kind === 'private' ? (
        <Icon name="lock" />
      ) : (
        <Icon name="hash" />
      )}
      <span className="clip conversation-name">{name}</span>
      {sharedWith.length > 0 ? <span className="shared-mark">{sharedWith.join(', ')}</span> : null}
      {unread > 0 ? (
        <span className="unread">
          {unread}
          <span className="visually-hidden"> unread</span>
        </span>
      ) : null}
    </button>
  );
}

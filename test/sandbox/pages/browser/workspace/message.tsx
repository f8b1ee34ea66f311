import { type FormEvent, useState } from 'react';
import type { User } from '../../../../stand-ins/slack/state/model.ts';
import type { Place } from '../../acts/workspace-acts.ts';
import type { MessageShown } from '../../snapshots/workspace-snapshot.ts';
import { Blocks } from '../blocks/blocks.tsx';
import { SurfaceContext } from '../blocks/surface.tsx';
import { Avatar } from '../shell/avatar.tsx';
import { Button } from '../shell/button.tsx';
import { Icon } from '../shell/icon.tsx';
import { MrkdwnText } from '../text/mrkdwn-text.tsx';
import { WorkObject } from '../work-object/work-object.tsx';
import { Attachment } from './attachment.tsx';
import { linkified } from './linkified.ts';
import { MessageTools } from './shortcut-menu.tsx';
import { useSlack } from './slack-context.ts';

export type MessageProps = {
  channelId: string;
  message: MessageShown;
  /** Whether it closely follows one by the same author. */
  continues: boolean;
  replies: number;
  openThread: ((ts: string) => void) | undefined;
};

export function Message(props: MessageProps) {
  const { channelId, message, continues, replies, openThread } = props;
  const { snapshot } = useSlack();
  const { ts, userId, isEphemeral, attachments, entities = [], files = [] } = message;
  const [isEditing, setEditing] = useState(false);
  const author = snapshot.people.find(({ id }) => id === userId);
  const isApp = author?.isBot === true;
  const place: Place = isEphemeral ? { kind: 'ephemeral', ts } : { kind: 'message', channelId, ts };
  return (
    <article
      className="message"
      data-continues={continues || undefined}
      data-private={isEphemeral || undefined}
    >
      {isEphemeral ? (
        <p className="faint row private-note">
          <Icon name="eye" /> Only visible to you
        </p>
      ) : null}
      {continues ? null : <Avatar name={author?.realName ?? userId} isApp={isApp} />}
      <div className="message-body">
        {continues ? null : <MessageHead message={message} author={author} />}
        <SurfaceContext value={place}>
          {isEditing ? (
            <MessageEditor channelId={channelId} message={message} done={() => setEditing(false)} />
          ) : (
            <MessageContent message={message} isApp={isApp} />
          )}
        </SurfaceContext>
        {files.length > 0 ? (
          <ul className="wrap message-files" aria-label="Files">
            {files.map(({ id, name }) => (
              <li key={String(id)}>{String(name)}</li>
            ))}
          </ul>
        ) : null}
        {attachments.map((attachment) => {
          const attachmentId = Number(attachment.id);
          return (
            <SurfaceContext
              key={attachmentId}
              value={place.kind === 'message' ? { ...place, attachmentId } : place}
            >
              <Attachment attachment={attachment} appName={snapshot.appName} />
            </SurfaceContext>
          );
        })}
        {entities.map(({ entity }, index) => (
          <WorkObject key={String(entity.url)} entity={entity} at={{ channelId, ts, index }} />
        ))}
        {replies > 0 && openThread ? (
          <button type="button" className="replies" onClick={() => openThread(ts)}>
            {replies === 1 ? '1 reply' : `${replies} replies`}
          </button>
        ) : null}
      </div>
      {isEphemeral ? null : <MessageTools {...props} edit={() => setEditing(true)} />}
    </article>
  );
}

function MessageEditor(props: { channelId: string; message: MessageShown; done: () => void }) {
  const { channelId, message, done } = props;
  const { act } = useSlack();
  const [text, setText] = useState(message.text);
  async function save(event: FormEvent) {
    event.preventDefault();
    if (text.trim() === '') return;
    await act({ do: 'edit', channelId, ts: message.ts, text });
    done();
  }
  return (
    <form
      className="row message-editor"
      onSubmit={save}
      onKeyDown={({ key }) => {
        if (key === 'Escape') done();
      }}
    >
      <input
        className="input"
        aria-label="Message"
        value={text}
        // biome-ignore lint/a11y/noAutofocus: the person pressed Edit to type here
        autoFocus
        onChange={({ target }) => setText(target.value)}
      />
      <Button onClick={done}>Cancel</Button>
      <button type="submit" className="button primary">
        Save
      </button>
    </form>
  );
}

function MessageContent({ message, isApp }: { message: MessageShown; isApp: boolean }) {
  const { text, blocks, edited } = message;
  if (blocks.length > 0) return <Blocks blocks={blocks} />;
  return (
    <div className="message-text">
      <MrkdwnText text={isApp ? text : linkified(text)} />
      {edited ? <span className="faint"> (edited)</span> : null}
    </div>
  );
}

function MessageHead(props: { message: MessageShown; author: User | undefined }) {
  const { message, author } = props;
  const { people, workspaces, me } = useSlack().snapshot;
  const myself = people.find(({ id }) => id === me);
  const company = workspaces.find(({ id }) => id === author?.teamId && id !== myself?.teamId);
  const at = new Date(Number(message.ts) * 1_000);
  return (
    <p className="wrap message-head">
      <strong>{author?.realName ?? message.userId}</strong>
      {author?.isBot ? <span className="app-badge">APP</span> : null}
      {company ? <span className="company-badge">{company.name}</span> : null}
      <time dateTime={at.toISOString()} title={at.toLocaleString('en')}>
        {at.toLocaleTimeString('en', { hour: 'numeric', minute: '2-digit' })}
      </time>
    </p>
  );
}

import type { MessageShown, PersonShown } from '../../snapshots/workspace-snapshot.ts';
import { useSlack } from './slack-context.tsx';

export function MessageHead(props: { message: MessageShown; author: PersonShown | undefined }) {
  const { message, author } = props;
  const { snapshot } = useSlack();
  const me = snapshot.people.find(({ id }) => id === snapshot.me);
  const isOfMine = author === undefined || author.workspaceId === me?.workspaceId;
  const at = new Date(Number(message.ts) * 1_000);
  return (
    <p className="message-head">
      <strong>{author?.name ?? message.userId}</strong>
      {author?.role === 'app' ? <span className="app-badge">APP</span> : null}
      {isOfMine ? null : <span className="company-badge">{author.company}</span>}
      <time dateTime={at.toISOString()} title={at.toLocaleString('en')}>
        {at.toLocaleTimeString('en', { hour: 'numeric', minute: '2-digit' })}
      </time>
    </p>
  );
}

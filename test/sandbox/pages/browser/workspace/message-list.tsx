import type { MessageShown } from '../../snapshots/workspace-snapshot.ts';
import { Message } from './message.tsx';

/** Messages by one author within this time share one heading, in seconds. */
const TOGETHER_S = 300;

/** Messages that aren't replies, each with its number of replies. */
export function MessageList(props: {
  channelId: string;
  messages: MessageShown[];
  openThread: ((ts: string) => void) | undefined;
}) {
  const { channelId, messages, openThread } = props;
  const repliesTo = (start: string) =>
    messages.filter(({ threadTs, ts, isEphemeral }) => {
      return threadTs === start && ts !== start && !isEphemeral;
    });
  const shown = openThread
    ? messages.filter(({ threadTs, ts }) => !threadTs || threadTs === ts)
    : messages;
  return shown.map((message, index) => (
    <Message
      key={message.ts}
      channelId={channelId}
      message={message}
      continues={belongs(shown[index - 1], message)}
      replies={repliesTo(message.ts).length}
      openThread={openThread}
    />
  ));
}

function belongs(before: MessageShown | undefined, message: MessageShown): boolean {
  return (
    before !== undefined &&
    before.userId === message.userId &&
    !before.isEphemeral &&
    !message.isEphemeral &&
    Number(message.ts) - Number(before.ts) < TOGETHER_S
  );
}

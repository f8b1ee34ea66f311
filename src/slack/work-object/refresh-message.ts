import { buildCardMessage } from '../card/card-blocks.ts';
import type { CardView } from '../card/card-view.ts';
import type { SlackDeps } from '../deps.ts';
import { type ActionArgs, stringOf, workspaceOf } from '../listener/replies.ts';
import { updateWithCard, workObjectPart } from './messages.ts';

/** Refresh in a Work Object in one of our own messages; what stands above it stays. */
export async function refreshOwnMessage(
  deps: Pick<SlackDeps, 'workObjects'>,
  { client, body, context }: ActionArgs,
  view: CardView,
): Promise<void> {
  const channel = stringOf(body.container.channel_id);
  const ts = stringOf(body.container.message_ts);
  if (!channel || !ts) return;
  const workspaceId = workspaceOf(context);
  const workObject = await workObjectPart(deps, { workspaceId, view, blocks: undefined });
  const message = buildCardMessage(view);
  const text = body.message?.text ?? message.text;
  await updateWithCard(client, { channel, ts }, { ...message, text, workObject });
}

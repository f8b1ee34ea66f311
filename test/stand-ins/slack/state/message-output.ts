import type { JsonObject } from '../json.ts';
import type { Message } from './model.ts';
import type { SlackState } from './state.ts';

/** A message in payloads and Web API answers. */
export function messageOutput(state: SlackState, message: Message): JsonObject {
  return {
    type: 'message',
    ...(message.subtype ? { subtype: message.subtype } : {}),
    user: message.userId,
    ts: message.ts,
    text: message.text,
    team: message.teamId,
    ...(message.botId ? { bot_id: message.botId, app_id: state.app.id } : {}),
    ...(message.threadTs ? { thread_ts: message.threadTs } : {}),
    ...(message.blocks.length > 0 ? { blocks: message.blocks } : {}),
    ...(message.attachments.length > 0 ? { attachments: message.attachments } : {}),
    ...(message.files?.length ? { files: message.files } : {}),
    ...(message.metadata ? { metadata: message.metadata } : {}),
  };
}

export function permalinkOf(
  { domain }: { domain: string },
  { channelId, ts, threadTs }: Message,
): string {
  const thread = threadTs ? `?thread_ts=${threadTs}&cid=${channelId}` : '';
  return `https://${domain}.slack.com/archives/${channelId}/p${ts.replace('.', '')}${thread}`;
}

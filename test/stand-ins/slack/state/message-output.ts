import type { JsonObject } from '../json.ts';
import type { Message } from './model.ts';
import type { SlackState } from './state.ts';

/** A message in payloads and Web API answers. */
export function messageOutput(state: SlackState, message: Message): JsonObject {
  return {
    type: 'message',
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

import { asText, isObject, type JsonObject, parseJson } from './json.ts';
import { refuse } from './refusal.ts';
import { addMessage, messageAt } from './state/conversations.ts';
import type { Ephemeral, Message } from './state/model.ts';
import {
  RESPONSE_URL_LIFE_MS,
  RESPONSE_URL_USES,
  type ResponseUrl,
} from './state/response-urls.ts';
import { type SlackState, workspaceOf } from './state/state.ts';
import { type MessageContent, readContent, requireContent } from './web-api/message-content.ts';
import { isYes } from './web-api/method.ts';

/** Slack's HTTP answer to a POST to a response_url. */
export interface ResponseUrlAnswer {
  status: number;
  body: string;
}

const USED_UP: ResponseUrlAnswer = { status: 404, body: 'used_url' };
const EXPIRED: ResponseUrlAnswer = { status: 404, body: 'expired_url' };
const UNKNOWN: ResponseUrlAnswer = { status: 404, body: 'no_active_hooks' };

/**
 * Handles what the app posts to a response_url: five times within thirty minutes. Shown only to the person unless
 * `response_type` is `in_channel`; `replace_original` and `delete_original` affect the message that the interaction
 * came from. Refuses (SlackRefusal) invalid content.
 */
export function takeResponse(state: SlackState, path: string, body: string): ResponseUrlAnswer {
  const url = state.responseUrls.get(path);
  if (!url) return UNKNOWN;
  if (state.clock().getTime() - url.issuedAt > RESPONSE_URL_LIFE_MS) return EXPIRED;
  if (url.uses >= RESPONSE_URL_USES) return USED_UP;
  const args = parseJson(body);
  if (!isObject(args)) return refuse('invalid_payload');
  url.uses += 1;
  if (isYes(args.delete_original)) return deleteOriginal(state, url);
  const content = readContent(state, args);
  requireContent(content);
  if (isYes(args.replace_original) && url.original) return replaceOriginal(state, url, content);
  addResponse(state, url, content, args);
  return { status: 200, body: 'ok' };
}

function originalOf(state: SlackState, url: ResponseUrl): Message | Ephemeral | undefined {
  const { original, channelId } = url;
  if (original?.kind === 'message') return messageAt(state, channelId, original.ts);
  return state.ephemerals.find(({ ts }) => ts === original?.ts);
}

function deleteOriginal(state: SlackState, url: ResponseUrl): ResponseUrlAnswer {
  const original = originalOf(state, url);
  const messages = state.messages.get(url.channelId) ?? [];
  const message = messages.findIndex(({ ts }) => ts === original?.ts);
  const ephemeral = state.ephemerals.findIndex(({ ts }) => ts === original?.ts);
  if (message >= 0) messages.splice(message, 1);
  if (ephemeral >= 0) state.ephemerals.splice(ephemeral, 1);
  state.feed.emit(ephemeral >= 0 ? 'ephemeral' : 'message');
  return { status: 200, body: 'ok' };
}

function replaceOriginal(
  state: SlackState,
  url: ResponseUrl,
  content: MessageContent,
): ResponseUrlAnswer {
  const original = originalOf(state, url);
  if (!original) return { status: 404, body: 'message_not_found' };
  original.text = content.text ?? '';
  original.blocks = content.blocks ?? [];
  original.attachments = content.attachments ?? [];
  state.feed.emit(url.original?.kind === 'ephemeral' ? 'ephemeral' : 'message');
  return { status: 200, body: 'ok' };
}

/** Adds an app's reply to a person: only for them, or for the whole channel. */
export function addResponse(
  state: SlackState,
  where: Pick<ResponseUrl, 'workspaceId' | 'channelId' | 'userId'>,
  content: MessageContent,
  args: JsonObject,
): void {
  const { workspaceId, channelId, userId } = where;
  const workspace = workspaceOf(state, workspaceId);
  const said = {
    channelId,
    text: content.text ?? '',
    blocks: content.blocks ?? [],
    attachments: content.attachments ?? [],
    threadTs: asText(args.thread_ts) || undefined,
  };
  if (args.response_type === 'in_channel') {
    const { botUserId: bot, botId } = workspace;
    addMessage(state, { ...said, userId: bot, teamId: workspaceId, botId });
    return;
  }
  state.ephemerals.push({ ...said, ts: state.ids.ts(), userId, workspaceId });
  state.feed.emit('ephemeral');
}

import { asText, isObject, type JsonObject, parseJson } from './json.ts';
import { refuse } from './refusal.ts';
import { messageAt } from './state/conversations.ts';
import type { Ephemeral, Message } from './state/model.ts';
import type { SlackState } from './state/state.ts';
import { type MessageContent, readContent, requireContent } from './web-api/message-content.ts';
import { isYes } from './web-api/method.ts';

/** How often and how long a response_url works. Source: Slack's documentation of interactivity. */
const RESPONSE_URL_USES = 5;
const RESPONSE_URL_LIFE_MS = 30 * 60 * 1000;
const RESPONSE_URL_BYTES = 12;

/** The message that `replace_original` and `delete_original` affect. */
export interface OriginalMessage {
  kind: 'message' | 'ephemeral';
  ts: string;
}

export interface ResponseUrl {
  path: string;
  workspaceId: string;
  userId: string;
  channelId: string;
  original: OriginalMessage | undefined;
  issuedAt: number;
  uses: number;
}

/** A new absolute response_url for a command (`commands`) or an action (`actions`). */
export function issueResponseUrl(
  state: SlackState,
  family: 'commands' | 'actions',
  about: Omit<ResponseUrl, 'path' | 'issuedAt' | 'uses'>,
): string {
  const path = `/${family}/${about.workspaceId}/${state.ids.secret(RESPONSE_URL_BYTES)}`;
  const issuedAt = state.clock().getTime();
  state.responseUrls.set(path, { ...about, path, issuedAt, uses: 0 });
  return state.origin + path;
}

/** Slack's HTTP answer to a POST to a response_url. */
export interface ResponseUrlAnswer {
  status: number;
  body: string;
}

const USED_UP: ResponseUrlAnswer = { status: 404, body: 'used_url' };
const EXPIRED: ResponseUrlAnswer = { status: 404, body: 'expired_url' };
const UNKNOWN: ResponseUrlAnswer = { status: 404, body: 'no_active_hooks' };

/**
 * Handles what the app posts to a response_url: five times within thirty minutes. Shown only to the person;
 * `replace_original` changes the message that the interaction came from. Refuses (SlackRefusal) invalid content, and
 * what the app doesn't use.
 */
export function takeResponse(state: SlackState, path: string, body: string): ResponseUrlAnswer {
  const url = state.responseUrls.get(path);
  if (!url) return UNKNOWN;
  if (state.clock().getTime() - url.issuedAt > RESPONSE_URL_LIFE_MS) return EXPIRED;
  if (url.uses >= RESPONSE_URL_USES) return USED_UP;
  const args = parseJson(body);
  if (!isObject(args)) return refuse('invalid_payload');
  url.uses += 1;
  if (args.response_type === 'in_channel' || isYes(args.delete_original)) refuse('invalid_payload');
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

function replaceOriginal(
  state: SlackState,
  url: ResponseUrl,
  content: MessageContent,
): ResponseUrlAnswer {
  const original = originalOf(state, url);
  if (!original) return { status: 404, body: 'message_not_found' };
  original.text = content.text ?? '';
  original.blocks = content.blocks ?? [];
  original.attachments = [];
  state.feed.emit(url.original?.kind === 'ephemeral' ? 'ephemeral' : 'message');
  return { status: 200, body: 'ok' };
}

/** Adds an app's reply to a person, only for them. */
export function addResponse(
  state: SlackState,
  where: Pick<ResponseUrl, 'workspaceId' | 'channelId' | 'userId'>,
  content: MessageContent,
  args: JsonObject,
): void {
  const { workspaceId, channelId, userId } = where;
  state.ephemerals.push({
    channelId,
    text: content.text ?? '',
    blocks: content.blocks ?? [],
    attachments: [],
    threadTs: asText(args.thread_ts) || undefined,
    ts: state.ids.ts(),
    userId,
    workspaceId,
  });
  state.feed.emit('ephemeral');
}

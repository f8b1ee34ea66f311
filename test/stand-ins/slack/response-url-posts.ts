import { asText, isObject, type JsonObject, parseJson } from './json.ts';
import type { Actor } from './people/actor.ts';
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
  workspaceId: string;
  userId: string;
  channelId: string;
  original: OriginalMessage | undefined;
  issuedAt: number;
  uses: number;
}

export function issueResponseUrl(
  { state, workspace: { id: workspaceId }, user }: Pick<Actor, 'state' | 'workspace' | 'user'>,
  family: 'commands' | 'actions',
  channelId: string,
  original?: OriginalMessage,
): string {
  const path = `/${family}/${workspaceId}/${state.ids.secret(RESPONSE_URL_BYTES)}`;
  const about = { workspaceId, userId: user.id, channelId, original };
  state.responseUrls.set(path, { ...about, issuedAt: state.clock().getTime(), uses: 0 });
  return state.origin + path;
}

const OK = { status: 200, body: 'ok' };
const gone = (body: string) => ({ status: 404, body });

/**
 * Handles what the app posts to a response_url: five times within thirty minutes. Shown only to the person;
 * `replace_original` changes the message that the interaction came from. Refuses (SlackRefusal) invalid content, and
 * what the app doesn't use.
 */
export function takeResponse(state: SlackState, path: string, body: string): typeof OK {
  const url = state.responseUrls.get(path);
  if (!url) return gone('no_active_hooks');
  if (state.clock().getTime() - url.issuedAt > RESPONSE_URL_LIFE_MS) return gone('expired_url');
  if (url.uses >= RESPONSE_URL_USES) return gone('used_url');
  const args = parseJson(body);
  if (!isObject(args)) return refuse('invalid_payload');
  url.uses += 1;
  if (args.response_type === 'in_channel' || isYes(args.delete_original)) refuse('invalid_payload');
  const content = readContent(state, args);
  requireContent(content);
  if (isYes(args.replace_original) && url.original) return replaceOriginal(state, url, content);
  addEphemeral(state, url, content, args);
  return OK;
}

function originalOf(state: SlackState, url: ResponseUrl): Message | Ephemeral | undefined {
  const { original, channelId } = url;
  if (original?.kind === 'message') return messageAt(state, channelId, original.ts);
  return state.ephemerals.find(({ ts }) => ts === original?.ts);
}

function replaceOriginal(state: SlackState, url: ResponseUrl, content: MessageContent): typeof OK {
  const original = originalOf(state, url);
  if (!original) return gone('message_not_found');
  original.text = content.text ?? '';
  original.blocks = content.blocks ?? [];
  original.attachments = [];
  state.feed.emit();
  return OK;
}

export function addEphemeral(
  state: SlackState,
  { workspaceId, channelId, userId }: Pick<ResponseUrl, 'workspaceId' | 'channelId' | 'userId'>,
  { text = '', blocks = [] }: MessageContent,
  args: JsonObject,
): string {
  const threadTs = asText(args.thread_ts) || undefined;
  const ts = state.ids.ts();
  const content = { text, blocks, attachments: [] };
  state.ephemerals.push({ workspaceId, channelId, userId, ts, threadTs, ...content });
  state.feed.emit();
  return ts;
}

import { randomUUID } from 'node:crypto';
import { sendEvent } from '../events.ts';
import type { JsonObject } from '../json.ts';
import {
  addMessage,
  installationFor,
  isIn,
  isShared,
  linksIn,
  permalinkOf,
} from '../state/conversations.ts';
import type { Channel, ComposerPreview, Message } from '../state/model.ts';
import { channelOf } from '../state/state.ts';
import { grantedScopes } from '../state/tokens.ts';
import type { Actor } from './actor.ts';

/** The channel in events from the composer. Source: Slack's documentation of link_shared. */
const COMPOSER_CHANNEL = 'COMPOSER';

export interface PostOptions {
  threadTs?: string;
  /** What Slack's composer makes of formatting; without, the text is plain. */
  blocks?: JsonObject[];
  files?: JsonObject[];
}

function unfurlIdOf({ state, user }: Actor): string {
  return `${user.id}-${state.ids.secret(4)}-${state.ids.secret(16)}`;
}

/** Links on the manifest's unfurl domains cause a `link_shared` event. Throws if the person couldn't post. */
export function postMessage(
  actor: Actor,
  channel: Channel,
  text: string,
  { threadTs, blocks = [], files = [] }: PostOptions = {},
): Message {
  const { state, user } = actor;
  if (!isIn(channel, user.teamId) && !channel.members.has(user.id)) {
    throw new Error(`${user.name} is not in #${channel.name}`);
  }
  if (channel.archived) throw new Error(`#${channel.name} is archived`);
  channel.members.add(user.id);
  const message = addMessage(state, {
    channelId: channel.id,
    userId: user.id,
    teamId: user.teamId,
    text,
    threadTs,
    blocks,
    files,
  });
  shareLinks(actor, channel, message);
  return message;
}

/** As people see it there. Slack documents only some of it; the shape is that of messages in public bug reports. */
export function forwardMessage(actor: Actor, original: Message, channel: Channel): Message {
  const { state, workspace, user } = actor;
  const { ts, channelId, text, blocks, files = [], userId } = original;
  const content = { team: original.teamId, channel: channelId, ts };
  const attachment = {
    ts,
    author_name: state.users.get(userId)?.realName ?? '',
    channel_id: channelId,
    text,
    is_msg_unfurl: true,
    is_share: true,
    fallback: text,
    footer: 'Slack conversation',
    from_url: permalinkOf(workspace, original),
    ...(blocks.length > 0 ? { message_blocks: [{ ...content, message: { blocks } }] } : {}),
    ...(files.length > 0 ? { files } : {}),
  };
  channel.members.add(user.id);
  const where = { channelId: channel.id, userId: user.id, teamId: user.teamId };
  return addMessage(state, { ...where, text: '', attachments: [{ id: 1, ...attachment }] });
}

export function takeBack({ state, user }: Actor, message: Message): void {
  if (message.userId !== user.id) throw new Error('Not their message');
  const all = state.messages.get(message.channelId) ?? [];
  state.messages.set(
    message.channelId,
    all.filter(({ ts }) => ts !== message.ts),
  );
  state.feed.emit();
}

/** New links are told to the app; previews of links that are gone disappear. Throws if the message is not theirs. */
export function editMessage(actor: Actor, message: Message, text: string): void {
  const { state, user } = actor;
  if (message.userId !== user.id) throw new Error('Not their message');
  const urlsIn = (shown: string) =>
    linksIn(shown, state.manifest.unfurlDomains).map(({ url }) => url);
  const before = urlsIn(message.text);
  const links = urlsIn(text);
  Object.assign(message, { text, edited: true });
  message.attachments = message.attachments.filter(
    ({ from_url: url }) => typeof url !== 'string' || links.includes(url) || !before.includes(url),
  );
  state.feed.emit();
  if (links.some((url) => !before.includes(url))) {
    shareLinks(actor, channelOf(state, message.channelId), message);
  }
}

function shareLinks(actor: Actor, channel: Channel, message: Message): void {
  const { channelId, ts, threadTs } = message;
  sendLinks(actor, channel, message.text, {
    channel: channelId,
    message_ts: ts,
    ...(threadTs ? { thread_ts: threadTs } : {}),
    unfurl_id: unfurlIdOf(actor),
    source: 'conversations_history',
    event_ts: ts,
  });
}

/** Links cause a `link_shared` event with source `composer`. The preview is filled when the app unfurls. */
export function composeText(actor: Actor, channel: Channel, text: string): ComposerPreview {
  const { state, user } = actor;
  const preview: ComposerPreview = {
    unfurlId: unfurlIdOf(actor),
    workspaceId: installationFor(state, channel, user.teamId)?.id ?? '',
    userId: user.id,
    links: linksIn(text, state.manifest.unfurlDomains).map(({ url }) => url),
    attachments: [],
    entities: [],
  };
  state.previews.set(preview.unfurlId, preview);
  sendLinks(actor, channel, text, {
    channel: COMPOSER_CHANNEL,
    is_bot_user_member: true,
    message_ts: randomUUID(),
    unfurl_id: preview.unfurlId,
    source: 'composer',
    event_ts: state.ids.ts(),
  });
  return preview;
}

/** Tells an installation that gets link events of the links that the app can show. */
function sendLinks(actor: Actor, channel: Channel, text: string, about: JsonObject): void {
  const { state, user } = actor;
  const links = linksIn(text, state.manifest.unfurlDomains);
  const workspace = installationFor(state, channel, user.teamId);
  if (links.length === 0 || !workspace) return;
  // Source: Slack's documentation of link_shared.
  if (!grantedScopes(state, workspace.id).includes('links:read')) return;
  const event = {
    type: 'link_shared',
    user: user.id,
    is_bot_user_member: channel.members.has(workspace.botUserId),
    links,
    ...about,
  };
  const isExtSharedChannel = about.source !== 'composer' && isShared(channel);
  sendEvent(actor, workspace, event, { teamId: user.teamId, isExtSharedChannel });
}

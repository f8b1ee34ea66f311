import { asObject, asText, type JsonObject } from '../json.ts';
import { refuse } from '../refusal.ts';
import { addEphemeral } from '../response-url-posts.ts';
import { addMessage, messageAt, messageOutput, permalinkOf } from '../state/conversations.ts';
import type { Message, ShownEntity } from '../state/model.ts';
import { entitiesIn, problemsOfMetadata, shownEntity } from '../work-objects/entity.ts';
import { postingTarget, visibleChannel } from './channels.ts';
import { modifiedAt } from './entity.ts';
import { readContent, requireContent } from './message-content.ts';
import { type BotCall, jsonArgument, requiredText } from './method.ts';

export function postMessage(call: BotCall): JsonObject {
  const { state, workspace, args } = call;
  const channel = postingTarget(call, requiredText(args, 'channel'));
  const content = readContent(state, args);
  requireContent(content);
  const threadTs = asText(args.thread_ts) || undefined;
  const metadata = jsonArgument(args, 'metadata', 'invalid_metadata_format');
  const { entities, warning } = readEntities(call, metadata);
  const message = addMessage(state, {
    channelId: channel.id,
    userId: workspace.botUserId,
    teamId: workspace.id,
    botId: workspace.botId,
    text: content.text ?? '',
    blocks: content.blocks ?? [],
    threadTs,
    entities,
  });
  const posted = { channel: channel.id, ts: message.ts, message: messageOutput(state, message) };
  return { ...posted, ...warning };
}

/** Slack posts a message without invalid Work Objects, and only warns (reddit.com/r/Slack/comments/1pkhyy8). */
function readEntities({ state, workspace }: BotCall, metadata: unknown) {
  const given = entitiesIn(metadata);
  if (!given) return { entities: [], warning: {} };
  const problems = problemsOfMetadata(state, metadata, 'message');
  if (problems.length === 0) {
    return { entities: given.map((one) => shownEntity(one, workspace.botId)), warning: {} };
  }
  const messages = problems.map(({ message, pointer }) => `${message} (pointer: ${pointer})`);
  return {
    entities: [],
    warning: { warning: 'invalid_metadata_format', response_metadata: { messages } },
  };
}

/** Needs the bot in the channel even with chat:write.public (slackapi/node-slack-sdk#977), and takes no person. */
export function postEphemeral(call: BotCall): JsonObject {
  const { state, workspace, args } = call;
  const channel = visibleChannel(call, requiredText(args, 'channel'));
  if (!channel.members.has(workspace.botUserId)) return refuse('not_in_channel');
  postingTarget(call, channel.id);
  const user = state.users.get(requiredText(args, 'user'));
  if (!user || !channel.members.has(user.id)) return refuse('user_not_in_channel');
  const content = readContent(state, args);
  requireContent(content);
  const where = { workspaceId: workspace.id, channelId: channel.id, userId: user.id };
  return { message_ts: addEphemeral(state, where, content, args) };
}

function ownMessage(call: BotCall, notOwn: string): Message {
  const channel = visibleChannel(call, requiredText(call.args, 'channel'));
  const message = messageAt(call.state, channel.id, requiredText(call.args, 'ts'));
  if (!message) return refuse('message_not_found');
  return message.botId === call.workspace.botId ? message : refuse(notOwn);
}

/** What the call doesn't name stays unchanged. Source: Slack's documentation of chat.update. */
export function updateMessage(call: BotCall): JsonObject {
  const { state, args } = call;
  const message = ownMessage(call, 'cant_update_message');
  const content = readContent(state, args);
  const { text, blocks } = content;
  const metadata = jsonArgument(args, 'metadata', 'invalid_metadata_format');
  const { entities, warning } = readEntities(call, metadata);
  if (text === undefined && blocks === undefined) return refuse('no_text');
  message.text = text ?? message.text;
  message.blocks = blocks ?? message.blocks;
  // Metadata that a call doesn't name stays, and an empty object removes it.
  if (metadata !== undefined) message.entities = newerOf(message.entities, entities);
  message.edited = true;
  state.feed.emit();
  const { channelId, ts } = message;
  const updated = { channel: channelId, ts, text: message.text };
  return { ...updated, message: messageOutput(state, message), ...warning };
}

/** Slack draws what it has until the metadata says that it is newer. */
function newerOf(before: ShownEntity[], after: ShownEntity[]): ShownEntity[] {
  return after.map((one) => {
    const idOf = ({ entity }: ShownEntity) => asObject(entity.external_ref).id;
    const shown = before.find((other) => idOf(other) === idOf(one));
    return shown && modifiedAt(shown.entity) >= modifiedAt(one.entity) ? shown : one;
  });
}

export function deleteMessage(call: BotCall): JsonObject {
  const { state } = call;
  const message = ownMessage(call, 'cant_delete_message');
  const all = state.messages.get(message.channelId) ?? [];
  all.splice(all.indexOf(message), 1);
  state.feed.emit();
  return { channel: message.channelId, ts: message.ts };
}

/** Source: docs.slack.dev/reference/methods/chat.getPermalink. */
export function permalink(call: BotCall): JsonObject {
  const { state, workspace, args } = call;
  const channel = visibleChannel(call, requiredText(args, 'channel'));
  const message = messageAt(state, channel.id, requiredText(args, 'message_ts'));
  if (!message) return refuse('message_not_found');
  return { channel: channel.id, permalink: permalinkOf(workspace, message) };
}

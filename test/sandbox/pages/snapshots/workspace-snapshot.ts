import { placedElements } from '../../../stand-ins/slack/block-kit/view-state.ts';
import { asText } from '../../../stand-ins/slack/json.ts';
import {
  isVisibleTo,
  offeredConversations,
} from '../../../stand-ins/slack/people/offered-conversations.ts';
import { isIn } from '../../../stand-ins/slack/state/conversations.ts';
import {
  type Channel,
  type Ephemeral,
  homeKey,
  type Message,
  type OpenView,
  type User,
} from '../../../stand-ins/slack/state/model.ts';
import { type SlackState, userOf, workspaceOf } from '../../../stand-ins/slack/state/state.ts';
import { stackOf } from '../../../stand-ins/slack/views/stacks.ts';

export type WorkspaceSnapshot = ReturnType<typeof workspaceSnapshot>;

/** What a person sees of their Slack now. Throws if the ID is unknown. */
export function workspaceSnapshot(state: SlackState, userId: string) {
  const me = userOf(state, userId);
  const isInstalled = workspaceOf(state, me.teamId).installed;
  const conversations = [...state.channels.values()].filter((channel) => sees(me, channel));
  return {
    appName: state.manifest.name,
    me: userId,
    workspaces: [...state.workspaces.values()].map(({ id, name }) => ({ id, name })),
    people: [...state.users.values()].map((user) => personShown(state, user)),
    conversations: conversations.map((channel) => conversationShown(state, me, channel)),
    messages: Object.fromEntries(
      conversations.map(({ id }) => [id, messagesIn(state, id, userId)]),
    ),
    pane: state.openPanes.get(userId),
    views: stackOf(state, userId).map((open) => viewShown(state, me, open)),
    home: homeShown(state, me),
    shortcuts: isInstalled
      ? state.manifest.shortcuts.map(({ name, type }) => ({ name, type }))
      : [],
    commands: isInstalled ? state.manifest.slashCommands : [],
    workflowRuns: workflowRuns(state, me),
    previews: Object.fromEntries(
      [...state.previews.values()]
        .filter((preview) => preview.userId === userId)
        .map(({ unfurlId, attachments }) => [unfurlId, attachments]),
    ),
  };
}

/** The app's step in Workflow Builder. */
export const STEP = 'create_design_request';

/** Newest first; undefined if the app has no step, or isn't installed. */
function workflowRuns(state: SlackState, { teamId }: User) {
  if (!state.manifest.functions[STEP] || !workspaceOf(state, teamId).installed) return undefined;
  return [...state.executions.values()]
    .filter(({ workspaceId, callbackId }) => workspaceId === teamId && callbackId === STEP)
    .map(({ id, inputs, state: is, outputs, error }) => ({
      id,
      state: is,
      error,
      title: asText(inputs.title),
      cardUrl: asText(outputs.card_link),
    }))
    .reverse();
}

function sees(user: User, channel: Channel): boolean {
  return !channel.archived && isIn(channel, user.teamId) && isVisibleTo(user, channel);
}

export type PersonShown = ReturnType<typeof personShown>;

function personShown(state: SlackState, user: User) {
  const { id, realName, teamId, isAdmin, isOwner, isBot, guest } = user;
  const ofPerson = isAdmin || isOwner ? 'admin' : guest ? 'guest' : 'member';
  const role: 'app' | typeof ofPerson = isBot ? 'app' : ofPerson;
  return {
    id,
    name: realName,
    workspaceId: teamId,
    company: state.workspaces.get(teamId)?.name ?? teamId,
    role,
  };
}

export type ConversationShown = ReturnType<typeof conversationShown>;

function conversationShown(state: SlackState, me: User, channel: Channel) {
  const { id, kind, homeId, sharedWith, members, readOnly } = channel;
  const others = [...members].filter((member) => member !== me.id);
  const companies = [homeId, ...sharedWith].filter((one) => one !== me.teamId);
  const names = others.map((other) => state.users.get(other)?.realName ?? other);
  return {
    id,
    /** In a direct conversation, whom it is with. */
    name: channel.name || names.join(', '),
    kind,
    withUserId: kind === 'im' ? others[0] : undefined,
    /** Names of the other companies in it. */
    sharedWith: companies.map((one) => workspaceOf(state, one).name),
    hasApp: members.has(workspaceOf(state, me.teamId).botUserId),
    readOnly,
  };
}

/** Oldest first. */
function messagesIn(state: SlackState, channelId: string, userId: string): MessageShown[] {
  const posted = (state.messages.get(channelId) ?? []).map((message) => messageShown(message));
  const private_ = state.ephemerals
    .filter((ephemeral) => ephemeral.channelId === channelId && ephemeral.userId === userId)
    .map((ephemeral) => ephemeralShown(state, ephemeral));
  return [...posted, ...private_].sort((one, other) => (one.ts < other.ts ? -1 : 1));
}

export type MessageShown = ReturnType<typeof messageShown>;

function messageShown(message: Message) {
  const { ts, threadTs, userId, text, blocks, attachments, edited } = message;
  const files = message.files?.map(({ name }) => asText(name)) ?? [];
  const entities = message.entities.map(({ entity }) => entity);
  const content = { text, blocks, attachments, files, entities };
  return { ts, threadTs, userId, ...content, edited, isEphemeral: false as boolean };
}

function ephemeralShown(state: SlackState, ephemeral: Ephemeral): MessageShown {
  const { ts, threadTs, workspaceId, text, blocks, attachments } = ephemeral;
  return {
    ts,
    threadTs,
    text,
    blocks,
    attachments,
    files: [],
    entities: [],
    userId: workspaceOf(state, workspaceId).botUserId,
    edited: false,
    isEphemeral: true,
  };
}

/** Without a view, the app has published none yet. Undefined if the app has no such tab. */
function homeShown(state: SlackState, me: User) {
  if (!state.manifest.homeTab || !workspaceOf(state, me.teamId).installed) return undefined;
  const home = state.homes.get(homeKey(me.teamId, me.id));
  return { view: home && viewShown(state, me, home) };
}

export type ViewShown = ReturnType<typeof viewShown>;

function viewShown(state: SlackState, me: User, open: OpenView) {
  const menus = placedElements(open.view).filter(
    ({ element }) => element.type === 'conversations_select',
  );
  return {
    ...open,
    /** IDs of the conversations in a menu, by its action_id. */
    offered: Object.fromEntries(
      menus.map(({ actionId, element }) => [
        actionId,
        offeredConversations(state, me, element).map((channel) => channel.id),
      ]),
    ),
  };
}

import { placedElements } from '../../../stand-ins/slack/block-kit/view-elements.ts';
import { asText } from '../../../stand-ins/slack/json.ts';
import {
  isVisibleTo,
  offeredConversations,
} from '../../../stand-ins/slack/people/offered-conversations.ts';
import { isIn } from '../../../stand-ins/slack/state/conversations.ts';
import type { Channel, Ephemeral, Message, User } from '../../../stand-ins/slack/state/model.ts';
import type { Pane } from '../../../stand-ins/slack/state/panes.ts';
import { type SlackState, userOf, workspaceOf } from '../../../stand-ins/slack/state/state.ts';
import { homeKey, type OpenView } from '../../../stand-ins/slack/state/views.ts';
import { stackOf } from '../../../stand-ins/slack/views/stacks.ts';
import type {
  ConversationShown,
  MessageShown,
  PaneShown,
  PersonShown,
  ViewShown,
  WorkflowRun,
  WorkspaceSnapshot,
} from '../protocol/workspace.ts';

/** What a person sees of their Slack now. Throws if the ID is unknown. */
export function workspaceSnapshot(state: SlackState, userId: string): WorkspaceSnapshot {
  const me = userOf(state, userId);
  const isInstalled = workspaceOf(state, me.teamId).installed;
  const conversations = [...state.channels.values()].filter((channel) => sees(me, channel));
  return {
    appName: state.manifest.name,
    me: userId,
    workspaces: [...state.workspaces.values()].map(({ id, name, installed }) => ({
      id,
      name,
      hasApp: installed,
    })),
    people: [...state.users.values()].map((user) => personShown(state, user)),
    conversations: conversations.map((channel) => conversationShown(state, me, channel)),
    messages: Object.fromEntries(
      conversations.map(({ id }) => [id, messagesIn(state, id, userId)]),
    ),
    pane: paneShown(state.openPanes.get(userId)),
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
const STEP = 'create_design_request';

function workflowRuns(state: SlackState, { teamId }: User): WorkflowRun[] | undefined {
  if (!state.manifest.functions[STEP] || !workspaceOf(state, teamId).installed) return undefined;
  return [...state.executions.values()]
    .filter(({ workspaceId, callbackId }) => workspaceId === teamId && callbackId === STEP)
    .map(({ id, inputs, state: is, outputs, error }) => ({
      ...{ id, state: is, error },
      title: asText(inputs.title),
      cardUrl: asText(outputs.card_link),
    }))
    .reverse();
}

function sees(user: User, channel: Channel): boolean {
  return !channel.archived && isIn(channel, user.teamId) && isVisibleTo(user, channel);
}

function personShown(state: SlackState, user: User): PersonShown {
  const { id, realName, teamId, isAdmin, isOwner, isBot, guest } = user;
  const role = isAdmin || isOwner ? 'admin' : guest ? 'guest' : 'member';
  return {
    id,
    name: realName,
    workspaceId: teamId,
    company: state.workspaces.get(teamId)?.name ?? teamId,
    role: isBot ? 'app' : role,
  };
}

function conversationShown(state: SlackState, me: User, channel: Channel): ConversationShown {
  const { id, kind, homeId, sharedWith, members, readOnly } = channel;
  const others = [...members].filter((member) => member !== me.id);
  const companies = [homeId, ...sharedWith].filter((one) => one !== me.teamId);
  const names = others.map((other) => state.users.get(other)?.realName ?? other);
  return {
    id,
    name: channel.name || names.join(', '),
    kind,
    withUserId: kind === 'im' ? others[0] : undefined,
    sharedWith: companies.map((one) => workspaceOf(state, one).name),
    hasApp: members.has(workspaceOf(state, me.teamId).botUserId),
    readOnly,
  };
}

function messagesIn(state: SlackState, channelId: string, userId: string): MessageShown[] {
  const posted = (state.messages.get(channelId) ?? []).map((message) => messageShown(message));
  const private_ = state.ephemerals
    .filter((ephemeral) => ephemeral.channelId === channelId && ephemeral.userId === userId)
    .map((ephemeral) => ephemeralShown(state, ephemeral));
  return [...posted, ...private_].sort((one, other) => (one.ts < other.ts ? -1 : 1));
}

function messageShown(message: Message): MessageShown {
  const { ts, threadTs, userId, text, blocks, attachments, edited } = message;
  const files = message.files?.map(({ name }) => asText(name)) ?? [];
  const entities = message.entities.map(({ entity }) => entity);
  const content = { text, blocks, attachments, files, entities };
  return { ts, threadTs, userId, ...content, edited, isEphemeral: false };
}

function paneShown(pane: Pane | undefined): PaneShown | undefined {
  if (!pane) return undefined;
  const { entityUrl, waiting, entity, error, embed } = pane;
  return { entityUrl, waiting, entity, error, embed };
}

function ephemeralShown(state: SlackState, ephemeral: Ephemeral): MessageShown {
  const { ts, threadTs, workspaceId, text, blocks, attachments } = ephemeral;
  return {
    ...{ ts, threadTs, text, blocks, attachments, files: [], entities: [] },
    userId: workspaceOf(state, workspaceId).botUserId,
    edited: false,
    isEphemeral: true,
  };
}

function homeShown(state: SlackState, me: User): WorkspaceSnapshot['home'] {
  if (!state.manifest.homeTab || !workspaceOf(state, me.teamId).installed) return undefined;
  const home = state.homes.get(homeKey(me.teamId, me.id));
  return { view: home && viewShown(state, me, home) };
}

function viewShown(state: SlackState, me: User, open: OpenView): ViewShown {
  const { id, hash, view, values, errors, notice } = open;
  const menus = placedElements(view).filter(
    ({ element }) => element.type === 'conversations_select',
  );
  return {
    ...{ id, hash, view, values, errors, notice },
    offered: Object.fromEntries(
      menus.map(({ actionId, element }) => [
        actionId,
        offeredConversations(state, me, element).map((channel) => channel.id),
      ]),
    ),
  };
}

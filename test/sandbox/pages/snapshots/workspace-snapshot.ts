import { placedElements } from '../../../stand-ins/slack/block-kit/view-state.ts';
import { offeredConversations } from '../../../stand-ins/slack/people/field-values.ts';
import { isIn, isVisibleTo } from '../../../stand-ins/slack/state/conversations.ts';
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
  const { manifest } = state;
  const isInstalled = workspaceOf(state, me.teamId).installed;
  const home = state.homes.get(homeKey(me.teamId, userId));
  const conversations = [...state.channels.values()].filter((channel) => sees(me, channel));
  return {
    appName: manifest.name,
    me: userId,
    workspaces: [...state.workspaces.values()].map(({ id, name }) => ({ id, name })),
    people: [...state.users.values()],
    conversations: conversations.map((channel) => conversationShown(state, me, channel)),
    messages: Object.fromEntries(conversations.map(({ id }) => [id, messagesIn(state, id, me)])),
    pane: state.openPanes.get(userId),
    views: stackOf(state, userId).map((open) => viewShown(state, me, open)),
    hasHome: isInstalled && manifest.homeTab,
    /** Undefined if the app has published none yet. */
    home: home && viewShown(state, me, home),
    shortcuts: isInstalled ? manifest.shortcuts : [],
    commands: isInstalled ? manifest.slashCommands : [],
    step: isInstalled ? stepShown(state, me) : undefined,
    previews: [...state.previews.values()].filter((preview) => preview.userId === userId),
  };
}

/** The app's step in Workflow Builder. */
export const STEP = 'create_design_request';

/** With its runs, newest first; undefined if the app has no step. */
function stepShown({ manifest, executions }: SlackState, { teamId }: User) {
  const step = manifest.functions[STEP];
  const runs = [...executions.values()]
    .filter(({ workspaceId, callbackId }) => workspaceId === teamId && callbackId === STEP)
    .reverse();
  return step && { inputs: step.input_parameters, runs };
}

function sees(user: User, channel: Channel): boolean {
  return !channel.archived && isIn(channel, user.teamId) && isVisibleTo(user, channel);
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
    isWithApp: kind === 'im' && others.some((other) => state.users.get(other)?.isBot),
    /** Names of the other companies in it. */
    sharedWith: companies.map((one) => workspaceOf(state, one).name),
    hasApp: members.has(workspaceOf(state, me.teamId).botUserId),
    readOnly,
  };
}

type Posted = 'files' | 'entities' | 'edited';
export type MessageShown = Omit<Ephemeral, 'workspaceId'> &
  Partial<Pick<Message, Posted>> & { isEphemeral?: true };

/** Oldest first. */
function messagesIn(state: SlackState, channelId: string, me: User): MessageShown[] {
  const private_ = state.ephemerals
    .filter((ephemeral) => ephemeral.channelId === channelId && ephemeral.userId === me.id)
    .map((ephemeral) => ({
      ...ephemeral,
      userId: workspaceOf(state, ephemeral.workspaceId).botUserId,
      isEphemeral: true as const,
    }));
  const all = [...(state.messages.get(channelId) ?? []), ...private_];
  return all.sort((one, other) => (one.ts < other.ts ? -1 : 1));
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

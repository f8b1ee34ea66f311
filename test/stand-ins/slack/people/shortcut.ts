import { sendEvent } from '../events.ts';
import type { JsonObject } from '../json.ts';
import type { Shortcut } from '../manifest.ts';
import { issueResponseUrl } from '../response-url-posts.ts';
import {
  directConversation,
  isShared,
  isVisibleTo,
  messageOutput,
  nameInPayloads,
} from '../state/conversations.ts';
import { fileStub } from '../state/files.ts';
import { homeKey, type Message } from '../state/model.ts';
import { channelOf } from '../state/state.ts';
import { grantedScopes } from '../state/tokens.ts';
import { issueTrigger } from '../state/triggers.ts';
import { viewOutput } from '../views/output.ts';
import { type Actor, interact, told } from './actor.ts';

/** The shortcut with this name. Throws if Slack wouldn't list it: the manifest lacks it, or the app isn't installed. */
function offered(actor: Actor, type: Shortcut['type'], name: string): Shortcut {
  const { state, workspace } = actor;
  const { shortcuts, interactive } = state.manifest;
  const found = shortcuts.find((one) => one.type === type && one.name === name);
  const granted = grantedScopes(state, workspace.id).includes('commands');
  if (!found || !interactive || !workspace.installed || !granted) {
    throw new Error(`There is no ${type} shortcut “${name}”`);
  }
  return found;
}

/** Shape: Bolt's `MessageShortcut` and `GlobalShortcut`. */
async function choose(
  actor: Actor,
  { type, callbackId }: Shortcut,
  { channelId, ...fields }: JsonObject & { channelId?: string } = {},
) {
  const triggerId = issueTrigger(actor, channelId);
  const kind = type === 'message' ? 'message_action' : 'shortcut';
  const delivery = await interact(actor, kind, {
    api_app_id: undefined,
    action_ts: actor.state.ids.ts(),
    callback_id: callbackId,
    trigger_id: triggerId,
    ...fields,
  });
  return { ...told(delivery), triggerId };
}

/** Throws if the person doesn't see the message, or Slack wouldn't list the shortcut. */
export async function chooseMessageShortcut(actor: Actor, message: Message, name: string) {
  const { state, user } = actor;
  const shortcut = offered(actor, 'message', name);
  const channel = channelOf(state, message.channelId);
  if (!isVisibleTo(user, channel)) throw new Error(`${user.name} doesn’t see that message`);
  return choose(actor, shortcut, {
    channelId: channel.id,
    // It can't change the message, which somebody else wrote.
    response_url: issueResponseUrl(actor, 'actions', channel.id),
    message_ts: message.ts,
    channel: { id: channel.id, name: nameInPayloads(channel) },
    message: messageOutput(state, {
      ...message,
      files: (message.files ?? []).map((file) => (isShared(channel) ? fileStub(file) : file)),
    }),
  });
}

/** Chooses a shortcut in the composer. Slack doesn't say in which conversation, and sends no `response_url`. */
export const chooseGlobalShortcut = async (actor: Actor, name: string) =>
  choose(actor, offered(actor, 'global', name));

export type AppTab = 'home' | 'messages';

/**
 * Opens a tab of the app, and tells the app. Source: docs.slack.dev/reference/events/app_home_opened. Throws if the
 * app isn't installed, or the manifest doesn't enable the tab.
 */
export function openApp(actor: Actor, tab: AppTab): void {
  const { state, workspace, user } = actor;
  const { homeTab, messagesTab } = state.manifest;
  if (!workspace.installed || !(tab === 'home' ? homeTab : messagesTab)) {
    throw new Error(`The app has no ${tab} tab`);
  }
  const { id: channel } = directConversation(state, workspace, user.id, workspace.botUserId);
  const shown = state.homes.get(homeKey(workspace.id, user.id));
  sendEvent(actor, workspace, {
    type: 'app_home_opened',
    user: user.id,
    channel,
    tab,
    // Only if the app has published one.
    ...(tab === 'home' && shown ? { view: viewOutput(state, shown) } : {}),
    event_ts: state.ids.ts(),
  });
}

import { sendEvent } from '../events.ts';
import { directConversation } from '../state/conversations.ts';
import { homeKey } from '../state/views.ts';
import { viewOutput } from '../views/output.ts';
import type { Actor } from './actor.ts';

export type AppTab = 'home' | 'messages';

/**
 * Opens a tab of the app, and tells the app. Source: docs.slack.dev/reference/events/app_home_opened. Throws if the
 * app isn't installed, or the manifest doesn't enable the tab.
 */
export function openApp(actor: Actor, tab: AppTab): void {
  const { state, dispatcher, workspace, user } = actor;
  const { homeTab, messagesTab } = state.manifest;
  if (!workspace.installed || !(tab === 'home' ? homeTab : messagesTab)) {
    throw new Error(`The app has no ${tab} tab`);
  }
  const { id: channel } = directConversation(state, workspace, user.id, workspace.botUserId);
  const shown = state.homes.get(homeKey(workspace.id, user.id));
  sendEvent({ state, dispatcher }, workspace, {
    type: 'app_home_opened',
    user: user.id,
    channel,
    tab,
    // Only if the app has published one.
    ...(tab === 'home' && shown ? { view: viewOutput(state, shown) } : {}),
    event_ts: state.ids.ts(),
  });
}

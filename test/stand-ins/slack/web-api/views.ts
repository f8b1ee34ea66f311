import { asText, type JsonObject } from '../json.ts';
import { refuse } from '../refusal.ts';
import { homeKey, type OpenView } from '../state/model.ts';
import { exchangeTrigger } from '../state/triggers.ts';
import { viewOutput } from '../views/output.ts';
import {
  acceptView,
  newOpenView,
  openModal,
  openViewById,
  pushModal,
  replaceView,
} from '../views/stacks.ts';
import { refuseBrokenImages } from './message-content.ts';
import { type BotCall, jsonArgument, requiredText } from './method.ts';

function viewArgument(call: BotCall, type: 'modal' | 'home'): JsonObject {
  const view = jsonArgument(call.args, 'view', 'invalid_arguments');
  const accepted = acceptView(call.state, call.workspace.id, view, type);
  refuseBrokenImages(call.state, accepted.blocks, '/view', 'invalid_arguments');
  return accepted;
}

// The trigger is used up even if the view is refused, the stricter of two interpretations of Slack.
const openWith = (show: typeof openModal) => (call: BotCall) => {
  const { state, workspace, args } = call;
  const { userId, channelId } = exchangeTrigger(state, workspace.id, args.trigger_id);
  const viewer = { workspaceId: workspace.id, userId, channelId };
  const open = show(state, viewer, viewArgument(call, 'modal'));
  return { view: viewOutput(state, open) };
};
export const openView = openWith(openModal);
export const pushView = openWith(pushModal);

function namedView({ state, workspace, args }: BotCall): OpenView {
  const open = openViewById(state, requiredText(args, 'view_id'));
  return open?.workspaceId === workspace.id ? open : refuse('not_found');
}

export function updateView(call: BotCall): JsonObject {
  const { state, args } = call;
  const view = viewArgument(call, 'modal');
  const open = namedView(call);
  const hash = asText(args.hash);
  if (hash !== '' && hash !== open.hash) return refuse('hash_conflict');
  replaceView(state, open, view);
  return { view: viewOutput(state, open) };
}

export function publishView(call: BotCall): JsonObject {
  const { state, workspace, args } = call;
  if (!state.manifest.homeTab) return refuse('not_enabled');
  const user = state.users.get(requiredText(args, 'user_id'));
  if (user?.teamId !== workspace.id) return refuse('user_not_found');
  const view = viewArgument(call, 'home');
  const key = homeKey(workspace.id, user.id);
  const before = state.homes.get(key);
  if (before) replaceView(state, before, view);
  const viewer = { workspaceId: workspace.id, userId: user.id };
  const home = before ?? newOpenView(state, viewer, view);
  state.homes.set(key, home);
  state.feed.emit();
  return { view: viewOutput(state, home) };
}

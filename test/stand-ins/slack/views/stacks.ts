import { VIEW_TOO_LARGE, validateView } from '../block-kit/validate.ts';
import { carryState, initialState } from '../block-kit/view-state.ts';
import { isObject, type JsonObject, objectsOf } from '../json.ts';
import { refuse } from '../refusal.ts';
import type { OpenView } from '../state/model.ts';
import type { SlackState } from '../state/state.ts';
import { grantedScopes } from '../state/tokens.ts';
import { interactiveElements, withIds } from './elements.ts';

const VIEW_ID_PREFIX = 'V';
/** A stack contains at most this many modals. Source: Slack's documentation. */
const MAX_STACK = 3;

/** The person who sees a view, and the installation that shows it. */
export interface Viewer {
  workspaceId: string;
  userId: string;
  /** The conversation that they are in, for elements that default to it. */
  channelId?: string | undefined;
}

/** The view as it would be stored. Refuses what Slack refuses. */
export function acceptView(
  state: SlackState,
  workspaceId: string,
  view: unknown,
  type: 'modal' | 'home',
): JsonObject {
  if (!isObject(view)) {
    return refuse('invalid_arguments', ['must provide an object [json-pointer:/view]']);
  }
  const problems = validateView(view);
  if (problems.some(({ message }) => message === VIEW_TOO_LARGE)) return refuse('view_too_large');
  if (problems.length > 0) {
    return refuse(
      'invalid_arguments',
      problems.map(({ message, pointer }) => `${message} [json-pointer:${pointer}]`),
    );
  }
  if (view.type !== type) {
    return refuse('invalid_arguments', [`must be ${type} [json-pointer:/view/type]`]);
  }
  refuseFilesWithoutScope(state, workspaceId, view);
  return { ...view, blocks: withIds(view.blocks, state.ids) };
}

// Slack's documentation asks for files:read; the error without it is not documented.
function refuseFilesWithoutScope(state: SlackState, workspaceId: string, view: JsonObject): void {
  const elements = interactiveElements(objectsOf(view.blocks));
  if (!elements.some(({ element }) => element.type === 'file_input')) return;
  const provided = grantedScopes(state, workspaceId);
  if (provided.includes('files:read')) return;
  refuse('missing_scope', [], { needed: 'files:read', provided: provided.join(',') });
}

/** A person's stack of modals, the visible one last; empty if none is open. */
export function stackOf(state: SlackState, userId: string): OpenView[] {
  return state.stacks.get(userId) ?? [];
}

export function openViewById(state: SlackState, id: string): OpenView | undefined {
  return [...state.stacks.values()].flat().find((open) => open.id === id);
}

const newHash = ({ ids, clock }: SlackState): string =>
  `${Math.floor(clock().getTime() / 1000)}.${ids.secret(4)}`;

export function newOpenView(state: SlackState, viewer: Viewer, view: JsonObject): OpenView {
  return {
    id: state.ids.next(VIEW_ID_PREFIX),
    workspaceId: viewer.workspaceId,
    teamId: state.users.get(viewer.userId)?.teamId ?? viewer.workspaceId,
    userId: viewer.userId,
    hash: newHash(state),
    view,
    values: initialState(view, viewer.channelId),
    channelId: viewer.channelId,
    notice: undefined,
    errors: {},
  };
}

/** Opens a valid modal for the person, replacing what they had open from this app. */
export function openModal(state: SlackState, viewer: Viewer, view: JsonObject): OpenView {
  const open = newOpenView(state, viewer, view);
  state.stacks.set(viewer.userId, [open]);
  state.feed.emit();
  return open;
}

/** Puts a valid modal on top of the open ones; at most three (`push_limit_reached`). */
export function pushModal(state: SlackState, viewer: Viewer, view: JsonObject): OpenView {
  const stack = stackOf(state, viewer.userId);
  const top = stack.at(-1);
  if (top?.workspaceId !== viewer.workspaceId) return refuse('not_found');
  if (stack.length >= MAX_STACK) return refuse('push_limit_reached');
  const open = newOpenView(state, viewer, view);
  stack.push(open);
  state.feed.emit();
  return open;
}

/** What was typed stays if block_id and action_id stay the same, and the hash changes. */
export function replaceView(state: SlackState, open: OpenView, view: JsonObject): void {
  const before = { view: open.view, state: open.values };
  open.values = carryState(before, view, open.channelId);
  open.view = view;
  open.hash = newHash(state);
  open.notice = undefined;
  open.errors = {};
  state.feed.emit();
}

export function closeModal(state: SlackState, open: OpenView): void {
  const key = open.userId;
  const rest = (state.stacks.get(key) ?? []).filter(({ id }) => id !== open.id);
  if (rest.length > 0) state.stacks.set(key, rest);
  else state.stacks.delete(key);
  state.feed.emit();
}

export function clearStack(state: SlackState, userId: string): void {
  state.stacks.delete(userId);
  state.feed.emit();
}

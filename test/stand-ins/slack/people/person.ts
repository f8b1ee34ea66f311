import type { StateValue } from '../block-kit/state-value.ts';
import { type PlacedElement, placedElements } from '../block-kit/view-elements.ts';
import { asText, type JsonObject, objectsOf } from '../json.ts';
import type { Channel, ComposerPreview, Message, User } from '../state/model.ts';
import type { Pane } from '../state/panes.ts';
import { channelOf, workspaceOf } from '../state/state.ts';
import { homeKey, type OpenView } from '../state/views.ts';
import { textOf } from '../views/elements.ts';
import { textOfView } from '../views/shown-text.ts';
import { stackOf } from '../views/stacks.ts';
import {
  listOptions,
  type OptionsOf,
  runFunction,
  type StepOptions,
  type StepRun,
} from '../workflows.ts';
import type { Actor, Told } from './actor.ts';
import { type ClickResult, type ClickTarget, clickElement } from './click.ts';
import { type CommandResult, typeCommand } from './command.ts';
import {
  closeDetails,
  type DetailsOf,
  openDetails,
  refreshDetails,
  refreshUnfurl,
} from './details.ts';
import type { FieldValue } from './field-values.ts';
import { fieldNamed } from './fields.ts';
import { fillField, fillPlaced } from './fill.ts';
import { type AppTab, openApp } from './open-app.ts';
import {
  composeText,
  editMessage,
  forwardMessage,
  type PostOptions,
  postMessage,
  takeBack,
} from './post.ts';
import { chooseGlobalShortcut, chooseMessageShortcut, type ShortcutResult } from './shortcut.ts';
import { closeView, type SubmitResult, submitView } from './submit.ts';
import { suggestOptions } from './suggest.ts';

/** A channel, or its ID. */
type ChannelRef = Channel | string;

/** The IDs of an element in a view. */
interface ElementIds {
  blockId: string;
  actionId: string;
}

/** A field of a view. */
interface Field {
  blockId: string;
  actionId: string;
  block: JsonObject;
  element: JsonObject;
  /** As in `view.state.values`. */
  value: StateValue | undefined;
  /** The error shown under it. */
  error: string | undefined;
  /** The texts of a fixed menu's options. */
  options: string[];
}

/** A person using Slack: what they do, and what they see. */
export interface Person {
  user: User;
  /** Types a slash command and waits until Slack has handled the app's answer. */
  command(channel: ChannelRef, text?: string, command?: string): Promise<CommandResult>;
  /** Posts a message; link events are sent in the background (`slack.idle()` waits). */
  post(channel: ChannelRef, text: string, options?: PostOptions): Promise<Message>;
  /** Forwards a message to a channel. */
  forward(message: Message, channel: ChannelRef): Promise<Message>;
  /** Deletes one of their own messages. */
  remove(message: Message): void;
  /** Changes the text of one of their own messages; link events are sent in the background. */
  edit(message: Message, text: string): void;
  /** Chooses a shortcut in the menu of a message, by its name. */
  messageShortcut(message: Message, name: string): Promise<ShortcutResult>;
  /** Chooses a shortcut in the composer or Slack's search, by its name. */
  globalShortcut(name: string): Promise<ShortcutResult>;
  /** Opens a tab of the app; its event is sent in the background (`slack.idle()` waits). */
  openApp(tab?: AppTab): void;
  /** Types without sending; the preview is filled when the app unfurls. */
  compose(channel: ChannelRef, text: string): Promise<ComposerPreview>;
  /** Opens the details of a Work Object in the pane; its event is sent in the background (`slack.idle()` waits). */
  openDetails(of: DetailsOf): Pane;
  /** Presses the pane's refresh button. */
  refreshDetails(pane: Pane): void;
  closeDetails(): void;
  /** Presses the refresh button above a Work Object under a link. */
  refreshUnfurl(message: Message): void;
  /** The open pane. */
  pane(): Pane | undefined;
  /** The front modal; undefined if none is open. */
  currentView(): OpenView | undefined;
  /** Their open modals, the visible one last. */
  views(): OpenView[];
  /** The app's home view, once published. */
  home(): OpenView | undefined;
  /** The text of the current view, one line per text; empty if none is open. */
  sees(): string;
  /** One field of the current view. */
  field(label: string): Field;
  /** Fills in fields of the current view by label, one after the other. */
  fill(fields: Record<string, FieldValue>): Promise<void>;
  /** Enters a value in one element of an open view, by its IDs; undefined if the app isn't notified. */
  put(
    open: OpenView,
    at: ElementIds,
    value: FieldValue,
    offered?: JsonObject[],
  ): Promise<Told | undefined>;
  /** The options of a searched menu, by its IDs, for a query. Rejects with OptionsNotLoaded. */
  search(open: OpenView, at: ElementIds, query: string): Promise<JsonObject[]>;
  /** The options of a searched menu in the current view for a query, as texts and values. */
  suggest(label: string, query: string): Promise<{ text: string; value: string }[]>;
  /** Submits the current view, or the given one. */
  submit(view?: OpenView): Promise<SubmitResult>;
  /** Closes the current view; with `{ all: true }` also everything below it. */
  close(options?: { all?: boolean }): Promise<void>;
  /** Opens a menu of a step in Workflow Builder. */
  stepOptions(options: Omit<OptionsOf, 'builder'>): Promise<StepOptions>;
  /** Starts a workflow that runs one of the app's steps. */
  runStep(callbackId: string, inputs: JsonObject): StepRun;
  /** Presses an element in a message, an unfurl, an ephemeral message, or the current view. */
  click(target: ClickTarget): Promise<ClickResult>;
}

const DEFAULT_COMMAND = '/design-request';

/** A person with one workspace's installation. */
export function personAt(actor: Actor): Person {
  const { state, workspace, user } = actor;
  const channel = (ref: ChannelRef) => (typeof ref === 'string' ? channelOf(state, ref) : ref);
  const current = () => stackOf(state, user.id).at(-1);
  const mustBeOpen = () => {
    const open = current();
    if (!open) throw new Error(`${user.name} has no view open`);
    return open;
  };
  return {
    user,
    command: (ref, text = '', command = DEFAULT_COMMAND) =>
      typeCommand(actor, channel(ref), text, command),
    post: async (ref, text, options) => postMessage(actor, channel(ref), text, options),
    forward: async (message, ref) => forwardMessage(actor, message, channel(ref)),
    messageShortcut: (message, name) => chooseMessageShortcut(actor, message, name),
    globalShortcut: (name) => chooseGlobalShortcut(actor, name),
    openApp: (tab = 'home') => openApp(actor, tab),
    remove: (message) => takeBack(actor, message),
    edit: (message, text) => editMessage(actor, message, text),
    compose: async (ref, text) => composeText(actor, channel(ref), text),
    openDetails: (of) => openDetails(actor, of),
    refreshDetails: (pane) => refreshDetails(actor, pane),
    closeDetails: () => closeDetails(actor),
    refreshUnfurl: (message) => refreshUnfurl(actor, message),
    pane: () => state.openPanes.get(user.id),
    currentView: current,
    views: () => [...stackOf(state, user.id)],
    home: () => state.homes.get(homeKey(workspace.id, user.id)),
    sees: () => {
      const open = current();
      return open ? textOfView(open) : '';
    },
    field: (label) => readField(mustBeOpen(), label),
    async fill(fields) {
      for (const [name, value] of Object.entries(fields)) {
        const open = mustBeOpen();
        await fillField(facing(actor, open), open, name, value);
      }
    },
    async put(open, at, value, offered = []) {
      // Chosen options stay in the field, whatever was searched for since.
      const held = open.values[at.blockId]?.[at.actionId];
      const known = [...offered, ...objectsOf(held?.selected_options)];
      return fillPlaced(facing(actor, open), open, placedAt(open, at), value, async () => known);
    },
    async search(open, at, query) {
      return suggestOptions(facing(actor, open), open, placedAt(open, at), query);
    },
    async suggest(label, query) {
      const open = mustBeOpen();
      const field = fieldNamed(open.view, label);
      const options = await suggestOptions(facing(actor, open), open, field, query);
      return options.map((option) => readOption(option));
    },
    async submit(view) {
      const open = view ?? mustBeOpen();
      return submitView(facing(actor, open), open);
    },
    async close(options) {
      const open = mustBeOpen();
      await closeView(facing(actor, open), open, options?.all ?? false);
    },
    stepOptions: (options) =>
      listOptions({ state, dispatcher: actor.dispatcher }, workspace, {
        builder: user,
        ...options,
      }),
    runStep: (callbackId, inputs) =>
      runFunction({ state, dispatcher: actor.dispatcher }, workspace, callbackId, inputs),
    click: (target) => clickElement(actor, target, current()),
  };
}

function readField(open: OpenView, label: string): Field {
  const placed = fieldNamed(open.view, label);
  const { blockId, actionId, element } = placed;
  return {
    ...placed,
    value: open.values[blockId]?.[actionId],
    error: open.errors[blockId],
    options: objectsOf(element.options).map(({ text }) => textOf(text)),
  };
}

function placedAt(open: OpenView, { blockId, actionId }: ElementIds): PlacedElement {
  const found = placedElements(open.view).find(
    (placed) => placed.blockId === blockId && placed.actionId === actionId,
  );
  if (!found) throw new Error(`The view has no element ${actionId} in ${blockId}`);
  return found;
}

// In shared channels a view can belong to another company's installation.
function facing(actor: Actor, open: OpenView): Actor {
  return { ...actor, workspace: workspaceOf(actor.state, open.workspaceId) };
}

function readOption(option: JsonObject): { text: string; value: string } {
  return { text: textOf(option.text), value: asText(option.value) };
}

import { type PlacedElement, placedElements } from '../block-kit/view-state.ts';
import { asText, type JsonObject, objectsOf } from '../json.ts';
import { type Channel, homeKey, type Message, type OpenView, type Pane } from '../state/model.ts';
import { channelOf, workspaceOf } from '../state/state.ts';
import { textOf } from '../views/elements.ts';
import { textOfView } from '../views/shown-text.ts';
import { stackOf } from '../views/stacks.ts';
import { listOptions, type OptionsOf, runFunction } from '../workflows.ts';
import type { Actor } from './actor.ts';
import { type ClickTarget, clickElement } from './click.ts';
import { typeCommand } from './command.ts';
import { askForDetails, closeDetails, type DetailsOf, openDetails } from './details.ts';
import type { FieldValue } from './field-values.ts';
import { fieldNamed, fillField, fillPlaced } from './fill.ts';
import {
  composeText,
  editMessage,
  forwardMessage,
  type PostOptions,
  postMessage,
  takeBack,
} from './post.ts';
import { type AppTab, chooseGlobalShortcut, chooseMessageShortcut, openApp } from './shortcut.ts';
import { closeView, submitView } from './submit.ts';
import { suggestOptions } from './suggest.ts';

type ChannelRef = Channel | string;

interface ElementIds {
  blockId: string;
  actionId: string;
}

const DEFAULT_COMMAND = '/design-request';

/** A person using Slack, with one workspace's installation: what they do, and what they see. */
export type Person = ReturnType<typeof personAt>;

export function personAt(actor: Actor) {
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
    /** Types a slash command and waits until Slack has handled the app's answer. */
    command: (ref: ChannelRef, text = '', command = DEFAULT_COMMAND) =>
      typeCommand(actor, channel(ref), text, command),
    /** Posts a message; link events are sent in the background (`slack.idle()` waits). */
    post: async (ref: ChannelRef, text: string, options?: PostOptions) =>
      postMessage(actor, channel(ref), text, options),
    forward: async (message: Message, ref: ChannelRef) =>
      forwardMessage(actor, message, channel(ref)),
    messageShortcut: (message: Message, name: string) =>
      chooseMessageShortcut(actor, message, name),
    globalShortcut: (name: string) => chooseGlobalShortcut(actor, name),
    /** Its event is sent in the background (`slack.idle()` waits). */
    openApp: (tab: AppTab = 'home') => openApp(actor, tab),
    remove: (message: Message) => takeBack(actor, message),
    edit: (message: Message, text: string) => editMessage(actor, message, text),
    /** Types without sending; the preview is filled when the app unfurls. */
    compose: async (ref: ChannelRef, text: string) => composeText(actor, channel(ref), text),
    openDetails: (of: DetailsOf) => openDetails(actor, of),
    /** Presses the pane's own refresh button: the app is always asked. */
    refreshDetails: (pane: Pane) => askForDetails(actor, pane),
    closeDetails: () => closeDetails(actor),
    pane: () => state.openPanes.get(user.id),
    /** The front modal; undefined if none is open. */
    currentView: current,
    views: () => [...stackOf(state, user.id)],
    home: () => state.homes.get(homeKey(workspace.id, user.id)),
    /** The text of the current view, one line per text; empty if none is open. */
    sees: () => {
      const open = current();
      return open ? textOfView(open) : '';
    },
    field: (label: string) => readField(mustBeOpen(), label),
    async fill(fields: Record<string, FieldValue>) {
      for (const [name, value] of Object.entries(fields)) {
        const open = mustBeOpen();
        await fillField(facing(actor, open), open, name, value);
      }
    },
    /** Enters a value in one element of an open view, by its IDs; undefined if the app isn't notified. */
    async put(open: OpenView, at: ElementIds, value: FieldValue, offered: JsonObject[] = []) {
      // Chosen options stay in the field, whatever was searched for since.
      const held = open.values[at.blockId]?.[at.actionId];
      const known = [...offered, ...objectsOf(held?.selected_options)];
      return fillPlaced(facing(actor, open), open, placedAt(open, at), value, async () => known);
    },
    async search(open: OpenView, at: ElementIds, query: string) {
      return suggestOptions(facing(actor, open), open, placedAt(open, at), query);
    },
    async suggest(label: string, query: string) {
      const open = mustBeOpen();
      const field = fieldNamed(open.view, label);
      const options = await suggestOptions(facing(actor, open), open, field, query);
      return options.map(({ text, value }) => ({ text: textOf(text), value: asText(value) }));
    },
    async submit(view?: OpenView) {
      const open = view ?? mustBeOpen();
      return submitView(facing(actor, open), open);
    },
    /** Closes the current view; with `{ all: true }` also everything below it. */
    async close(options?: { all?: boolean }) {
      const open = mustBeOpen();
      await closeView(facing(actor, open), open, options?.all ?? false);
    },
    stepOptions: (options: Omit<OptionsOf, 'builder'>) =>
      listOptions(actor, workspace, { builder: user, ...options }),
    runStep: (callbackId: string, inputs: JsonObject) =>
      runFunction(actor, workspace, callbackId, inputs),
    click: (target: ClickTarget) => clickElement(actor, target, current()),
  };
}

function readField(open: OpenView, label: string) {
  const placed = fieldNamed(open.view, label);
  const { blockId, actionId, element } = placed;
  return {
    ...placed,
    /** As in `view.state.values`. */
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

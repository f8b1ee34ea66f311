import { asObject, asText, type JsonObject, objectsOf } from '../json.ts';
import type { Ephemeral, Message, OpenView, Pane, ShownEntity } from '../state/model.ts';
import { workspaceOf } from '../state/state.ts';
import { interactiveElements, type Placed, textOf } from '../views/elements.ts';
import { actionOf, type Container, installationBehind, sendAction } from './actions.ts';
import type { Actor, Told } from './actor.ts';
import { ownerOf } from './details.ts';
import { choose, type OptionRef } from './field-values.ts';

/**
 * Which element is pressed: by its text or its action_id (and block_id, if several blocks have it); in a menu, also
 * which option, by its text or its value. The text may also be that of an entry of a “⋯” menu.
 */
interface ElementChoice {
  text?: string;
  actionId?: string;
  blockId?: string;
  option?: string | OptionRef;
}

export type ClickTarget = ElementChoice &
  (
    | { message: Message; attachment?: JsonObject }
    | { message: Message; shown: ShownEntity }
    | { pane: Pane }
    | { ephemeral: Ephemeral }
    | { view?: OpenView | undefined }
  );

export interface ClickResult extends Told {
  opened: string | undefined;
}

function matches({ block, element }: Placed, choice: ElementChoice): boolean {
  const { text, actionId, blockId } = choice;
  if (blockId !== undefined && block.block_id !== blockId) return false;
  if (actionId !== undefined) return element.action_id === actionId;
  return textOf(element.text) === text || textOf(element.placeholder) === text;
}

function pick(places: { container: Container; blocks: unknown }[], choice: ElementChoice) {
  const all = places.flatMap(({ container, blocks }) =>
    interactiveElements(objectsOf(blocks)).map((placed) => ({ container, placed })),
  );
  const found = all.find(({ placed }) => matches(placed, choice));
  if (found) return { ...found, option: choice.option };
  const listed = all.find(({ placed }) => entriesOf(placed).includes(choice.text ?? ''));
  if (listed && choice.actionId === undefined) return { ...listed, option: choice.text };
  const there = all.flatMap(({ placed }) => [
    textOf(placed.element.text) || placed.element.action_id,
    ...entriesOf(placed),
  ]);
  throw new Error(`Nothing to press is called "${choice.text ?? choice.actionId}", only: ${there}`);
}

/** The texts in a “⋯” menu, which has no text of its own. */
const entriesOf = ({ element }: Placed): string[] =>
  element.type === 'overflow' ? objectsOf(element.options).map(({ text }) => textOf(text)) : [];

function placesIn(target: ClickTarget, current: OpenView | undefined) {
  if ('ephemeral' in target) {
    const { ephemeral } = target;
    const container: Container = { kind: 'ephemeral', ephemeral };
    const attached = ephemeral.attachments.map(({ blocks }) => ({ container, blocks }));
    return [{ container, blocks: ephemeral.blocks }, ...attached];
  }
  if ('pane' in target) return placesInPane(target.pane);
  if ('shown' in target) return placesInEntity(target);
  if (!('message' in target)) {
    const open = target.view ?? current;
    if (!open) throw new Error('No view is open');
    return [{ container: { kind: 'view', open } satisfies Container, blocks: open.view.blocks }];
  }
  const { message, attachment: only } = target;
  const entities = message.entities.flatMap((shown) => placesInEntity({ message, shown }));
  const attached = message.attachments
    .filter((attachment) => only === undefined || attachment.id === only.id)
    .map((attachment) => ({
      container: { kind: 'attachment', message, attachment } satisfies Container,
      blocks: attachment.blocks,
    }));
  const own: Container = { kind: 'message', message };
  return only === undefined
    ? [{ container: own, blocks: message.blocks }, ...attached, ...entities]
    : attached;
}

function placesInEntity({ message, shown }: { message: Message; shown: ShownEntity }) {
  const container: Container = { kind: 'entity', message, shown };
  return [{ container, blocks: actionBlocks(shown.entity) }];
}

function placesInPane(pane: Pane) {
  const container: Container = { kind: 'pane', pane };
  const { error, entity = {} } = pane;
  return [{ container, blocks: error ? buttonRow(error.actions) : actionBlocks(entity) }];
}

function actionBlocks(entity: JsonObject): JsonObject[] {
  const { primary_actions, overflow_actions } = asObject(asObject(entity.entity_payload).actions);
  return [...buttonRow(primary_actions), ...buttonRow(overflow_actions)];
}

const buttonRow = (actions: unknown): JsonObject[] => [
  {
    type: 'actions',
    block_id: 'actions',
    elements: objectsOf(actions).map((action) => ({
      ...action,
      type: 'button',
      text: { type: 'plain_text', text: action.text },
    })),
  },
];

function heldAfter({ element }: Placed, option: string | OptionRef | undefined): JsonObject {
  return option === undefined
    ? {}
    : { selected_option: choose(objectsOf(element.options), option) };
}

/** Throws if there is no such element, or no interactivity in the manifest: Slack shows the button as broken then. */
export async function clickElement(
  actor: Actor,
  target: ClickTarget,
  current: OpenView | undefined,
): Promise<ClickResult> {
  const { state } = actor;
  if (!state.manifest.interactive) throw new Error('This app is not set up for interactivity');
  const { container, placed, option } = pick(placesIn(target, current), target);
  const action = actionOf(state, placed, heldAfter(placed, option));
  const result = await sendAction(onBehalf(actor, container), container, action);
  return { ...result, opened: asText(placed.element.url) || undefined };
}

function onBehalf(actor: Actor, container: Container): Actor {
  if (container.kind === 'view' || container.kind === 'ephemeral') {
    const from = container.kind === 'view' ? container.open : container.ephemeral;
    return { ...actor, workspace: workspaceOf(actor.state, from.workspaceId) };
  }
  if (container.kind === 'pane') {
    return { ...actor, workspace: workspaceOf(actor.state, container.pane.workspaceId) };
  }
  if (container.kind === 'entity') return { ...actor, workspace: ownerOf(actor, container.shown) };
  const { message } = container;
  const attachment = container.kind === 'attachment' ? container.attachment : undefined;
  const workspace = installationBehind(actor.state, message, attachment, actor.workspace);
  return { ...actor, workspace };
}

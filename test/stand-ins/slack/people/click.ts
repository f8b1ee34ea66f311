import { asText, type JsonObject, objectsOf } from '../json.ts';
import type { Ephemeral, Message, OpenView, Pane, ShownEntity } from '../state/model.ts';
import { interactiveElements, type Placed, textOf } from '../views/elements.ts';
import type { Actor, Told } from './actor.ts';
import { choose, type OptionRef } from './field-values.ts';
import {
  actionOf,
  entityPlace,
  ephemeralPlace,
  type Place,
  panePlace,
  placesIn,
  sendAction,
  viewPlace,
} from './places.ts';

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

function pick(places: Place[], choice: ElementChoice) {
  const all = places.flatMap((place) =>
    interactiveElements(objectsOf(place.blocks)).map((placed) => ({ place, placed })),
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

function placesOf(actor: Actor, target: ClickTarget, current: OpenView | undefined): Place[] {
  if ('ephemeral' in target) return [ephemeralPlace(actor, target.ephemeral)];
  if ('pane' in target) return [panePlace(actor, target.pane)];
  if ('shown' in target) return [entityPlace(actor, target.message, target.shown)];
  if ('message' in target) return placesIn(actor, target.message, target.attachment);
  const open = target.view ?? current;
  if (!open) throw new Error('No view is open');
  return [viewPlace(actor, open)];
}

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
  const { place, placed, option } = pick(placesOf(actor, target, current), target);
  const action = actionOf(state, placed, heldAfter(placed, option));
  const result = await sendAction(actor, place, action);
  return { ...result, opened: asText(placed.element.url) || undefined };
}

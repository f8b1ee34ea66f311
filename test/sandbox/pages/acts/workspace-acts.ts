import { z } from 'zod';
import { asText, type JsonObject } from '../../../stand-ins/slack/json.ts';
import type { Told } from '../../../stand-ins/slack/people/actor.ts';
import type { ClickTarget } from '../../../stand-ins/slack/people/click.ts';
import type { FieldValue } from '../../../stand-ins/slack/people/field-values.ts';
import type { Person } from '../../../stand-ins/slack/people/person.ts';
import { OptionsNotLoaded } from '../../../stand-ins/slack/people/suggest.ts';
import { messageAt } from '../../../stand-ins/slack/state/conversations.ts';
import { channelOf, type SlackState, workspaceOf } from '../../../stand-ins/slack/state/state.ts';
import { textOf } from '../../../stand-ins/slack/views/elements.ts';
import { STEP } from '../snapshots/workspace-snapshot.ts';
import { type ActOf, actsIn } from './table.ts';

const id = z.string().max(200);
const text = z.string().max(40_000);
const channelId = id;
const inMessage = { channelId, ts: id };
const ofEntity = { ...inMessage, index: z.number().int().min(0) };
const inView = { viewId: id, blockId: id, actionId: id };

const optionRef = z.strictObject({ value: z.string() });
/** What a person entered in a field; see `FieldValue` of the stand-in's people. */
const fieldValue = z.union([
  z.null(),
  z.string(),
  z.array(optionRef),
  optionRef,
  z.array(z.strictObject({ id: z.string() })),
  z.looseObject({ type: z.literal('rich_text') }),
]);
export type FieldInput = z.infer<typeof fieldValue>;

const place = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('message'), ...inMessage, attachmentId: z.number().optional() }),
  z.object({ kind: z.literal('entity'), ...ofEntity }),
  z.object({ kind: z.literal('pane') }),
  z.object({ kind: z.literal('ephemeral'), ts: id }),
  z.object({ kind: z.literal('view'), viewId: id }),
]);
export type Place = z.infer<typeof place>;

export type ActResult = {
  told?: Acknowledgment | undefined;
  /** Slackbot's message about a command that failed. */
  commandError?: string | undefined;
  /** The URL that a button opened. */
  opened?: string | undefined;
  options?: { value: string; text: string; description: string }[];
  /** Why Workflow Builder can't show a menu's options. */
  optionsError?: string;
  /** The ID under which a composer preview appears. */
  unfurlId?: string;
};
export type Acknowledgment = { ms: number; acknowledged: boolean; error: string | undefined };

/** The answer to an act: the number of the state that shows its effect, and its result or why it failed. */
export type ActAnswer = { revision: number } & (
  | { result: ActResult; problem?: undefined }
  | { problem: string }
);

/** The latest options of searched menus, by view, block, and action: these can be chosen. */
export type OfferedOptions = Map<string, JsonObject[]>;

type World = { state: SlackState; offered: OfferedOptions; person: Person };
const act = actsIn<World, undefined | Promise<ActResult | undefined>>();

/** What a person does in the workspace page. Throws Error with a message for the page if it can't be done. */
export const WORKSPACE_ACTS = {
  command: act({ channelId, command: id, text }, async ({ person }, given) => {
    const result = await person.command(given.channelId, given.text, given.command);
    return { told: acknowledgment(result), commandError: result.error };
  }),
  post: act(
    { channelId, text, threadTs: id.optional() },
    async ({ person }, { threadTs, ...given }) => {
      await person.post(given.channelId, given.text, threadTs ? { threadTs } : {});
    },
  ),
  compose: act({ channelId, text }, async ({ person }, given) => ({
    unfurlId: (await person.compose(given.channelId, given.text)).unfurlId,
  })),
  remove: act(inMessage, (world, at) => {
    world.person.remove(messageIn(world, at));
  }),
  edit: act({ ...inMessage, text }, (world, given) => {
    world.person.edit(messageIn(world, given), given.text);
  }),
  'invite-app': act({ channelId }, ({ state, person }, given) => {
    const { botUserId } = workspaceOf(state, person.user.teamId);
    channelOf(state, given.channelId).members.add(botUserId);
    state.feed.emit();
  }),
  'message-shortcut': act({ ...inMessage, name: text }, async (world, given) => {
    const message = messageIn(world, given);
    return { told: acknowledgment(await world.person.messageShortcut(message, given.name)) };
  }),
  'global-shortcut': act({ name: text }, async ({ person }, { name }) => ({
    told: acknowledgment(await person.globalShortcut(name)),
  })),
  'open-app': act({ tab: z.enum(['home', 'messages']) }, ({ person }, { tab }) => {
    person.openApp(tab);
  }),
  press: act(
    { at: place, blockId: id, actionId: id, option: z.string().optional() },
    async (world, { at, blockId, actionId, option }) => {
      const chosen = option === undefined ? {} : { option: { value: option } };
      const target = { ...targetIn(world, at), blockId, actionId, ...chosen };
      const result = await world.person.click(target);
      return { told: acknowledgment(result), opened: result.opened };
    },
  ),
  'open-details': act(ofEntity, (world, at) => {
    world.person.openDetails(entityIn(world, at));
  }),
  'refresh-details': act({}, (world) => {
    world.person.refreshDetails(paneIn(world));
  }),
  'close-details': act({}, ({ person }) => {
    person.closeDetails();
  }),
  fill: act({ ...inView, value: fieldValue }, async (world, given) => {
    const known = world.offered.get(keyOf(given));
    const open = viewIn(world, given);
    const told = await world.person.put(open, given, given.value as FieldValue, known);
    return { told: told && acknowledgment(told) };
  }),
  search: act({ ...inView, query: text }, async (world, given) => {
    const { person, offered } = world;
    try {
      const options = await person.search(viewIn(world, given), given, given.query);
      offered.set(keyOf(given), [...(offered.get(keyOf(given)) ?? []), ...options]);
      return {
        options: options.map((option) => ({
          value: asText(option.value),
          text: textOf(option.text),
          description: textOf(option.description),
        })),
      };
    } catch (error) {
      if (!(error instanceof OptionsNotLoaded)) throw error;
      return { told: { ms: 0, acknowledged: false, error: error.reason } };
    }
  }),
  submit: act({ viewId: id }, async (world, given) => {
    const { told } = await world.person.submit(viewIn(world, given));
    return { told: told && acknowledgment(told) };
  }),
  close: act({ viewId: id, all: z.boolean() }, async ({ person }, { viewId, all }) => {
    if (person.currentView()?.id === viewId) await person.close({ all });
  }),
  'step-options': act({ input: id, inputs: z.record(id, text) }, async ({ person }, given) => {
    const { options, error } = await person.stepOptions({ step: STEP, ...given });
    return {
      options: options.map((option) => ({ ...option, description: '' })),
      ...(error ? { optionsError: error } : {}),
    };
  }),
  'run-step': act(
    { inputs: z.record(id, z.union([text, z.boolean()])) },
    ({ person }, { inputs }) => {
      person.runStep(STEP, { ...inputs, requested_by: person.user.id });
    },
  ),
};

export type WorkspaceAct = ActOf<typeof WORKSPACE_ACTS>;

const keyOf = ({ viewId, blockId, actionId }: Record<keyof typeof inView, string>) =>
  JSON.stringify([viewId, blockId, actionId]);

/** How the app answered: in how many real milliseconds, of which Slack waits three thousand, or why it didn't. */
const acknowledgment = ({ ms, acknowledged, delivery }: Told): Acknowledgment => ({
  ms,
  acknowledged,
  error: delivery.attempts.at(-1)?.error,
});

function found<Value>(value: Value | undefined, otherwise: string): Value {
  if (!value) throw new Error(otherwise);
  return value;
}

function viewIn({ person }: World, { viewId }: { viewId: string }) {
  const views = [person.home(), ...person.views()];
  return found(
    views.find((view) => view?.id === viewId),
    'This window has been closed.',
  );
}

const messageIn = ({ state }: World, at: { channelId: string; ts: string }) =>
  found(messageAt(state, at.channelId, at.ts), 'This message no longer exists.');

const paneIn = ({ person }: World) => found(person.pane(), 'The details have been closed.');

function entityIn({ state }: World, at: { channelId: string; ts: string; index: number }) {
  const gone = 'This card is no longer shown.';
  const message = found(messageAt(state, at.channelId, at.ts), gone);
  return { message, entity: found(message.entities[at.index], gone) };
}

function targetIn(world: World, at: Place): ClickTarget {
  if (at.kind === 'pane') return { pane: paneIn(world) };
  if (at.kind === 'view') return { view: viewIn(world, at) };
  if (at.kind === 'entity') {
    const { message, entity: shown } = entityIn(world, at);
    return { message, shown };
  }
  if (at.kind === 'ephemeral') {
    const isIt = (one: { ts: string; userId: string }) =>
      one.ts === at.ts && one.userId === world.person.user.id;
    return {
      ephemeral: found(world.state.ephemerals.find(isIt), 'This message no longer exists.'),
    };
  }
  const message = messageIn(world, at);
  const attachment = message.attachments.find((one) => one.id === at.attachmentId);
  return attachment ? { message, attachment } : { message };
}

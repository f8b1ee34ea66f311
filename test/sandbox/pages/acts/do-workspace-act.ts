import { asText, type JsonObject } from '../../../stand-ins/slack/json.ts';
import type { Told } from '../../../stand-ins/slack/people/actor.ts';
import type { ClickTarget } from '../../../stand-ins/slack/people/click.ts';
import type { FieldValue } from '../../../stand-ins/slack/people/field-values.ts';
import type { Person } from '../../../stand-ins/slack/people/person.ts';
import { OptionsNotLoaded } from '../../../stand-ins/slack/people/suggest.ts';
import { messageAt } from '../../../stand-ins/slack/state/conversations.ts';
import type { Message, OpenView, Pane } from '../../../stand-ins/slack/state/model.ts';
import { channelOf, type SlackState, workspaceOf } from '../../../stand-ins/slack/state/state.ts';
import { textOf } from '../../../stand-ins/slack/views/elements.ts';
import type { Acknowledgment, ActResult, Place, WorkspaceAct } from '../protocol/acts.ts';

/** The app's step in Workflow Builder. */
const STEP = 'create_design_request';

/** The latest options of searched menus, by view, block, and action: these can be chosen. */
export type OfferedOptions = Map<string, JsonObject[]>;

/**
 * Does what a person does in the workspace page.
 *
 * @throws Error with a message for the page if it can't be done
 */
export async function doWorkspaceAct(
  { state, offered }: { state: SlackState; offered: OfferedOptions },
  person: Person,
  act: WorkspaceAct,
): Promise<ActResult> {
  switch (act.do) {
    case 'command': {
      const result = await person.command(act.channelId, act.text, act.command);
      return { told: acknowledgment(result), commandError: result.error };
    }
    case 'post': {
      await person.post(act.channelId, act.text, act.threadTs ? { threadTs: act.threadTs } : {});
      return {};
    }
    case 'compose':
      return { unfurlId: (await person.compose(act.channelId, act.text)).unfurlId };
    case 'remove':
      person.remove(messageOf(state, act));
      return {};
    case 'edit':
      person.edit(messageOf(state, act), act.text);
      return {};
    case 'message-shortcut': {
      const message = messageOf(state, act);
      return { told: acknowledgment(await person.messageShortcut(message, act.name)) };
    }
    case 'global-shortcut':
      return { told: acknowledgment(await person.globalShortcut(act.name)) };
    case 'open-app':
      person.openApp(act.tab);
      return {};
    case 'invite-app': {
      const channel = channelOf(state, act.channelId);
      channel.members.add(workspaceOf(state, person.user.teamId).botUserId);
      state.feed.emit('channel');
      return {};
    }
    case 'press': {
      const { blockId, actionId, option } = act;
      const target = targetOf(state, person, act.at);
      const chosen = option === undefined ? {} : { option: { value: option } };
      const result = await person.click({ ...target, blockId, actionId, ...chosen });
      return { told: acknowledgment(result), opened: result.opened };
    }
    case 'open-details':
    case 'refresh-details':
    case 'close-details':
      doInPane(state, person, act);
      return {};
    case 'fill': {
      const open = viewOf(person, act.viewId);
      const known = offered.get(keyOf(act));
      const told = await person.put(open, act, act.value as FieldValue, known);
      return { told: told && acknowledgment(told) };
    }
    case 'search':
      return search({ offered }, person, act);
    case 'submit': {
      const { told } = await person.submit(viewOf(person, act.viewId));
      return { told: told && acknowledgment(told) };
    }
    case 'step-options': {
      const { options, error } = await person.stepOptions({ step: STEP, ...act });
      return {
        options: options.map((option) => ({ ...option, description: '' })),
        ...(error ? { optionsError: error } : {}),
      };
    }
    case 'run-step':
      person.runStep(STEP, { ...act.inputs, requested_by: person.user.id });
      return {};
    case 'close': {
      if (person.currentView()?.id === act.viewId) await person.close({ all: act.all });
      return {};
    }
  }
}

async function search(
  { offered }: { offered: OfferedOptions },
  person: Person,
  act: Extract<WorkspaceAct, { do: 'search' }>,
): Promise<ActResult> {
  try {
    const options = await person.search(viewOf(person, act.viewId), act, act.query);
    offered.set(keyOf(act), [...(offered.get(keyOf(act)) ?? []), ...options]);
    return {
      options: options.map(({ value, text, description }) => ({
        value: asText(value),
        text: textOf(text),
        description: textOf(description),
      })),
    };
  } catch (error) {
    if (!(error instanceof OptionsNotLoaded)) throw error;
    return { told: { ms: 0, acknowledged: false, error: error.reason } };
  }
}

const keyOf = ({
  viewId,
  blockId,
  actionId,
}: {
  viewId: string;
  blockId: string;
  actionId: string;
}) => JSON.stringify([viewId, blockId, actionId]);

function acknowledgment({ ms, acknowledged, delivery }: Told): Acknowledgment {
  return { ms, acknowledged, error: delivery.attempts.at(-1)?.error };
}

function viewOf(person: Person, viewId: string): OpenView {
  const home = person.home();
  const open = home?.id === viewId ? home : person.views().find(({ id }) => id === viewId);
  if (!open) throw new Error('This window has been closed.');
  return open;
}

function messageOf(state: SlackState, at: { channelId: string; ts: string }): Message {
  const message = messageAt(state, at.channelId, at.ts);
  if (!message) throw new Error('This message no longer exists.');
  return message;
}

type PaneAct = Extract<WorkspaceAct, { do: 'open-details' | 'refresh-details' | 'close-details' }>;

function doInPane(state: SlackState, person: Person, act: PaneAct): void {
  if (act.do === 'open-details') person.openDetails(entityAt(state, act));
  else if (act.do === 'refresh-details') person.refreshDetails(paneOf(person));
  else person.closeDetails();
}

function paneOf(person: Person): Pane {
  const pane = person.pane();
  if (!pane) throw new Error('The details have been closed.');
  return pane;
}

function entityAt(state: SlackState, at: { channelId: string; ts: string; index: number }) {
  const message = messageAt(state, at.channelId, at.ts);
  const entity = message?.entities[at.index];
  if (!message || !entity) throw new Error('This card is no longer shown.');
  return { message, entity };
}

function targetOf(state: SlackState, person: Person, at: Place): ClickTarget {
  if (at.kind === 'pane') return { pane: paneOf(person) };
  if (at.kind === 'entity') {
    const { message, entity: shown } = entityAt(state, at);
    return { message, shown };
  }
  if (at.kind === 'view') return { view: viewOf(person, at.viewId) };
  if (at.kind === 'ephemeral') {
    const ephemeral = state.ephemerals.find(
      ({ ts, userId }) => ts === at.ts && userId === person.user.id,
    );
    if (!ephemeral) throw new Error('This message no longer exists.');
    return { ephemeral };
  }
  const message = messageOf(state, at);
  const attachment = message.attachments.find(({ id }) => id === at.attachmentId);
  return attachment ? { message, attachment } : { message };
}

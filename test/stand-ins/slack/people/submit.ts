import { setTimeout } from 'node:timers/promises';
import { missingInputs, placedElements } from '../block-kit/view-state.ts';
import { answerOf } from '../dispatch/dispatcher.ts';
import { asText, isObject } from '../json.ts';
import { SlackRefusal } from '../refusal.ts';
import type { OpenView } from '../state/model.ts';
import { issueTrigger } from '../state/triggers.ts';
import { viewOutput } from '../views/output.ts';
import { acceptView, clearStack, closeModal, replaceView } from '../views/stacks.ts';
import { type Actor, interact, type Told, told } from './actor.ts';
import { labelOf } from './fill.ts';

/** Slack's message in a modal whose app couldn't be reached or answered nonsense. */
const TROUBLE = 'We had some trouble connecting. Try again?';

export interface SubmitResult {
  /**
   * `incomplete`: Slack itself marked fields, and nothing was sent. `errors`: the app marked fields. `trouble`: no
   * acknowledgment, or one that Slack refuses; the modal stays unchanged.
   */
  outcome: 'closed' | 'errors' | 'updated' | 'incomplete' | 'trouble';
  /** By the label of the field. */
  errors: Record<string, string>;
  reason: string | undefined;
  /** Undefined if nothing was sent. */
  told: Told | undefined;
}

type Ending = Pick<SubmitResult, 'outcome'> & Partial<SubmitResult>;

function trouble(actor: Actor, open: OpenView, reason: string): Ending {
  open.notice = TROUBLE;
  actor.state.feed.emit();
  return { outcome: 'trouble', reason };
}

function markFields(actor: Actor, open: OpenView, errors: Record<string, string>) {
  open.errors = errors;
  actor.state.feed.emit();
  const labelled = Object.entries(errors).map(([id, text]) => [labelOf(open.view, id), text]);
  return Object.fromEntries(labelled);
}

// Slack accepts only errors for inputs of this view.
function showErrors(actor: Actor, open: OpenView, given: unknown): Ending {
  const errors = Object.entries(isObject(given) ? given : {});
  const inputs = placedElements(open.view).filter(({ block }) => block.type === 'input');
  const known = new Set(inputs.map(({ blockId }) => blockId));
  const stray = errors.find(([blockId]) => !known.has(blockId));
  if (errors.length === 0) return trouble(actor, open, 'errors: none given');
  if (stray) return trouble(actor, open, `errors: no input has the block_id ${stray[0]}`);
  const texts = errors.map(([blockId, text]): [string, string] => [blockId, asText(text)]);
  if (texts.some(([, text]) => text === '')) return trouble(actor, open, 'errors: an empty text');
  return { outcome: 'errors', errors: markFields(actor, open, Object.fromEntries(texts)) };
}

// Applied after its own delay, whatever views.update did meanwhile.
async function showUpdate(actor: Actor, open: OpenView, given: unknown): Promise<Ending> {
  const { state, ackUpdateDelayMs } = actor;
  try {
    const view = acceptView(state, open.workspaceId, given, 'modal');
    if (ackUpdateDelayMs > 0) await setTimeout(ackUpdateDelayMs);
    replaceView(state, open, view);
    return { outcome: 'updated' };
  } catch (error) {
    if (!(error instanceof SlackRefusal)) throw error;
    return trouble(actor, open, `update: ${error.code} ${JSON.stringify(error.body)}`);
  }
}

async function follow(actor: Actor, open: OpenView, answer: unknown): Promise<Ending> {
  if (answer === undefined || (isObject(answer) && Object.keys(answer).length === 0)) {
    closeModal(actor.state, open);
    return { outcome: 'closed' };
  }
  const { response_action: action, errors, view } = isObject(answer) ? answer : {};
  if (action === 'errors') return showErrors(actor, open, errors);
  if (action === 'update') return showUpdate(actor, open, view);
  // Slack also knows push and clear, which the app doesn't use.
  return trouble(actor, open, 'an answer that is no response_action');
}

/** Slack checks required fields and lengths itself first; then the app has three seconds, and its answer is applied. */
export async function submitView(actor: Actor, open: OpenView): Promise<SubmitResult> {
  const nothing = { errors: {}, reason: undefined, told: undefined };
  const missing = missingInputs(open.view, open.values);
  if (missing.length > 0) {
    const marks = Object.fromEntries(missing.map(({ blockId, message }) => [blockId, message]));
    return { ...nothing, outcome: 'incomplete', errors: markFields(actor, open, marks) };
  }
  open.errors = {};
  open.notice = undefined;
  const delivery = await interact(actor, 'view_submission', {
    trigger_id: issueTrigger(actor, open.channelId),
    view: viewOutput(actor.state, open),
    response_urls: [],
  });
  const ending = delivery.acknowledged
    ? await actor.dispatcher.track(follow(actor, open, answerOf(delivery)))
    : trouble(actor, open, delivery.attempts[0]?.error ?? 'not delivered');
  return { ...nothing, ...ending, told: told(delivery) };
}

/** With the close button, or the cross (`whole`: with everything below). The app hears of it if `notify_on_close`. */
export async function closeView(actor: Actor, open: OpenView, whole: boolean): Promise<void> {
  const { state } = actor;
  const shown = viewOutput(state, open);
  const view = state.closedViewsHaveState ? shown : { ...shown, state: undefined };
  if (whole) clearStack(state, open.userId);
  else closeModal(state, open);
  if (open.view.notify_on_close === true) {
    await interact(actor, 'view_closed', { view, is_cleared: whole });
  }
}

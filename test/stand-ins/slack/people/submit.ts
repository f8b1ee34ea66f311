import { setTimeout } from 'node:timers/promises';
import { missingInputs, placedElements } from '../block-kit/view-state.ts';
import { answerOf } from '../dispatch/dispatcher.ts';
import { asText, isObject, type JsonObject } from '../json.ts';
import { SlackRefusal } from '../refusal.ts';
import { MAX_STACK, type OpenView } from '../state/model.ts';
import { issueTrigger } from '../state/triggers.ts';
import { viewOutput } from '../views/output.ts';
import {
  acceptView,
  clearStack,
  closeModal,
  openViewById,
  pushModal,
  replaceView,
  stackOf,
} from '../views/stacks.ts';
import { type Actor, interact, type Told, told } from './actor.ts';
import { labelOf } from './fill.ts';

/** Slack's message in a modal whose app couldn't be reached or answered nonsense. */
const TROUBLE = 'We had some trouble connecting. Try again?';

export interface SubmitResult {
  /**
   * `incomplete`: Slack itself marked fields, and nothing was sent. `errors`: the app marked fields. `trouble`: no
   * acknowledgment, or one that Slack refuses; the modal stays unchanged.
   */
  outcome: 'closed' | 'errors' | 'updated' | 'pushed' | 'cleared' | 'incomplete' | 'trouble';
  /** By the label of the field. */
  errors: Record<string, string>;
  reason: string | undefined;
  /** Undefined if nothing was sent. */
  told: Told | undefined;
}

type Ending = Pick<SubmitResult, 'outcome'> & Partial<SubmitResult>;

async function beforeAckUpdate({ timing }: Actor): Promise<void> {
  if (timing.ackUpdateDelayMs > 0) await setTimeout(timing.ackUpdateDelayMs);
}

function trouble(actor: Actor, open: OpenView, reason: string): Ending {
  open.notice = TROUBLE;
  actor.state.feed.emit('view');
  return { outcome: 'trouble', reason };
}

function markFields(actor: Actor, open: OpenView, errors: Record<string, string>) {
  open.errors = errors;
  actor.state.feed.emit('view');
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
async function showUpdate(actor: Actor, open: OpenView, view: JsonObject): Promise<Ending> {
  await beforeAckUpdate(actor);
  replaceView(actor.state, open, view);
  return { outcome: 'updated' };
}

async function showPush(actor: Actor, open: OpenView, view: JsonObject): Promise<Ending> {
  const viewer = { ...open };
  if (stackOf(actor.state, open.userId).length >= MAX_STACK) {
    return trouble(actor, open, 'push: push_limit_reached');
  }
  await beforeAckUpdate(actor);
  if (openViewById(actor.state, open.id)) pushModal(actor.state, viewer, view);
  return { outcome: 'pushed' };
}

async function showView(
  actor: Actor,
  open: OpenView,
  action: 'update' | 'push',
  given: unknown,
): Promise<Ending> {
  try {
    const view = acceptView(actor.state, open.workspaceId, given, 'modal');
    return await (action === 'update' ? showUpdate : showPush)(actor, open, view);
  } catch (error) {
    if (!(error instanceof SlackRefusal)) throw error;
    return trouble(actor, open, `${action}: ${error.code} ${JSON.stringify(error.body)}`);
  }
}

async function follow(actor: Actor, open: OpenView, answer: unknown): Promise<Ending> {
  const { state } = actor;
  if (answer === undefined || (isObject(answer) && Object.keys(answer).length === 0)) {
    closeModal(state, open);
    return { outcome: 'closed' };
  }
  const { response_action: action, errors, view } = isObject(answer) ? answer : {};
  if (action === 'errors') return showErrors(actor, open, errors);
  if (action === 'update' || action === 'push') return showView(actor, open, action, view);
  if (action !== 'clear') return trouble(actor, open, 'an answer that is no response_action');
  clearStack(state, open.userId);
  return { outcome: 'cleared' };
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
  const clears = whole || open.view.clear_on_close === true;
  const shown = viewOutput(state, open);
  const view = state.closedViewsHaveState ? shown : { ...shown, state: undefined };
  if (clears) clearStack(state, open.userId);
  else closeModal(state, open);
  if (open.view.notify_on_close === true) {
    await interact(actor, 'view_closed', { view, is_cleared: clears });
  }
}

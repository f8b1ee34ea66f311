import type { FieldValue } from '../../stand-ins/slack/people/field-values.ts';
import type { Person } from '../../stand-ins/slack/people/person.ts';
import type { Message } from '../../stand-ins/slack/state/model.ts';
import type { OpenView } from '../../stand-ins/slack/state/views.ts';
import { hasField, seesCompleteForm } from '../complete-form.ts';
import { messageAsLines } from '../terminal/message.ts';
import { inMs } from '../terminal/times.ts';
import { viewAsLines } from '../terminal/view.ts';
import { mustBeAcknowledged, personIn, type Scene, shownAfter } from './scene.ts';

const TITLE = 'Spring banner';
const TYPE = 'Social media';
/** The fields that depend on the type. */
const OF_THE_TYPE = ['Request type', 'File formats', 'Product', 'Software'];
const THE_REST: Record<string, FieldValue> = {
  Product: 'Graphics',
  Description: 'A banner for the spring sale: fresh, light, no discount in the picture.',
  Sizes: 'Post: 1080 × 1080 px\nStory: 1080 × 1920 px',
  Software: 'Figma',
  'File formats': ['PNG', 'JPG'],
  Wording: 'Spring is here',
};

/** A person types the command; the form must open within three seconds. */
export async function openForm(scene: Scene): Promise<void> {
  const { slack, ann, general, look, print, clock, timings } = scene;
  const me = personIn(scene, ann);
  const started = clock();
  print(`Ann types /design-request ${TITLE}`);
  const typed = mustBeAcknowledged(await me.command(general, TITLE), 'the command');
  const { ms } = await shownAfter(scene, started, () => me.currentView(), 'the form');
  const form = await slack.until(
    () => (seesCompleteForm(me) ? me.currentView() : undefined),
    'the complete form',
  );
  timings.push({
    what: `/design-request ${TITLE}`,
    acknowledgedMs: typed.ms,
    shownMs: ms,
    shownIsLimited: true,
  });
  print(`Acknowledged in ${inMs(typed.ms)}, form opened after ${inMs(ms)}. Slack allows 3 s each.`);
  print(viewAsLines(form, look));
}

/** Choosing the type redraws the fields that depend on it; what was typed stays. */
export async function chooseType(scene: Scene): Promise<void> {
  const { ann, look, print, clock, timings } = scene;
  const me = personIn(scene, ann);
  const started = clock();
  await me.fill({ 'Request type': TYPE });
  const acknowledgedMs = clock() - started;
  const redrawn = await shownAfter(
    scene,
    started,
    () => hasField(me, 'Product') && me.currentView(),
    'the form for the type',
  );
  timings.push({
    what: 'Choosing a type',
    acknowledgedMs,
    shownMs: redrawn.ms,
    shownIsLimited: false,
  });
  print(`She chooses ${TYPE}. The form is redrawn after ${inMs(redrawn.ms)}: products,`);
  print('software, and formats now belong to that type.');
  print(viewAsLines(redrawn.value, look, OF_THE_TYPE));
}

/** Fills in the rest and sends it: acknowledged at once, sent to the service right after. */
export async function send(scene: Scene): Promise<{ cardId: string; confirmation: Message }> {
  const { slack, service, acme, ann, general, look, print, clock, timings } = scene;
  const me = personIn(scene, ann);
  await me.click({ text: 'More options' });
  await shownAfter(scene, clock(), () => me.sees().includes('Wording'), 'all fields');
  await me.fill(THE_REST);
  print('The form as she sends it:');
  print(viewAsLines(requireView(me), look));
  const started = clock();
  const { told, outcome, errors, reason } = await me.submit();
  if (outcome !== 'updated') {
    throw new Error(`Sending ended as "${outcome}": ${reason ?? JSON.stringify(errors)}`);
  }
  const { ms: acknowledgedMs } = mustBeAcknowledged(told, 'the form');
  const confirmation = await shownAfter(
    scene,
    started,
    () => acme.messages(general).find(({ botId }) => botId !== undefined),
    'the confirmation in #general',
  );
  timings.push({
    what: 'Send, until the confirmation',
    acknowledgedMs,
    shownMs: confirmation.ms,
    shownIsLimited: false,
  });
  print(`Acknowledged in ${inMs(acknowledgedMs)}. The modal says:`);
  const result = await slack.until(
    () => (me.sees().includes('Sending') ? undefined : me.currentView()),
    'the outcome in the modal',
  );
  print(viewAsLines(result, look));
  await me.close();
  const [call] = service.calls({ operation: 'createCard', executed: true });
  if (!call?.createdCardId) throw new Error('The design service has no new card.');
  return { cardId: call.createdCardId, confirmation: confirmation.value };
}

export async function showConfirmation(scene: Scene, confirmation: Message): Promise<void> {
  const { look, print, timings } = scene;
  const ms = timings.at(-1)?.shownMs ?? 0;
  print(`It appeared ${inMs(ms)} after she pressed Send.`);
  print(messageAsLines(confirmation, look));
}

function requireView(me: Person): OpenView {
  const open = me.currentView();
  if (!open) throw new Error('The form is closed.');
  return open;
}

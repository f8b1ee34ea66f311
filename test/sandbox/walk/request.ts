import type { FieldValue } from '../../stand-ins/slack/people/field-values.ts';
import type { Person } from '../../stand-ins/slack/people/person.ts';
import type { OpenView } from '../../stand-ins/slack/state/views.ts';
import { hasField, seesCompleteForm } from '../complete-form.ts';
import { inMs, mustBeAcknowledged, personIn, type Scene, shownAfter } from './scene.ts';
import { messageAsLines, viewAsLines } from './shown.ts';

const TITLE = 'Spring banner';
const TYPE = 'Social media';
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
  const { slack, ann, general, nameOf, print } = scene;
  const me = personIn(scene, ann);
  const started = performance.now();
  print(`Ann types /design-request ${TITLE}`);
  const typed = mustBeAcknowledged(await me.command(general, TITLE), 'the command');
  const { ms } = await shownAfter(scene, started, () => me.currentView(), 'the form');
  const form = await slack.until(
    () => (seesCompleteForm(me) ? me.currentView() : undefined),
    'the complete form',
  );
  print(`Acknowledged in ${inMs(typed.ms)}, form opened after ${inMs(ms)}. Slack allows 3 s each.`);
  print(viewAsLines(form, nameOf));
}

/** Choosing the type redraws the fields that depend on it; what was typed stays. */
export async function chooseType(scene: Scene): Promise<void> {
  const { ann, nameOf, print } = scene;
  const me = personIn(scene, ann);
  const started = performance.now();
  await me.fill({ 'Request type': TYPE });
  const redrawn = await shownAfter(
    scene,
    started,
    () => hasField(me, 'Product') && me.currentView(),
    'the form for the type',
  );
  print(`She chooses ${TYPE}. The form is redrawn after ${inMs(redrawn.ms)}: products,`);
  print('software, and formats now belong to that type.');
  print(viewAsLines(redrawn.value, nameOf));
}

/** Fills in the rest and sends it: acknowledged at once, sent to the service right after. */
export async function send(scene: Scene): Promise<string> {
  const { slack, service, acme, ann, general, nameOf, print } = scene;
  const me = personIn(scene, ann);
  await me.click({ text: 'More options' });
  await shownAfter(scene, performance.now(), () => me.sees().includes('Wording'), 'all fields');
  await me.fill(THE_REST);
  print('The form as she sends it:');
  print(viewAsLines(requireView(me), nameOf));
  const started = performance.now();
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
  print(`Acknowledged in ${inMs(acknowledgedMs)}, confirmed after ${inMs(confirmation.ms)}.`);
  print(messageAsLines(confirmation.value, nameOf));
  print('The modal says:');
  const result = await slack.until(
    () => (me.sees().includes('Sending') ? undefined : me.currentView()),
    'the outcome in the modal',
  );
  print(viewAsLines(result, nameOf));
  await me.close();
  const [call] = service.calls({ operation: 'createCard', executed: true });
  if (!call?.createdCardId) throw new Error('The design service has no new card.');
  return call.createdCardId;
}

function requireView(me: Person): OpenView {
  const open = me.currentView();
  if (!open) throw new Error('The form is closed.');
  return open;
}

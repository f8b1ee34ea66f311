import { PROJECT } from '../../../src/slack/words/connect.ts';
import { DEFAULT_PROJECT, STATUSES } from '../../stand-ins/design-service/cards.ts';
import { isObject } from '../../stand-ins/slack/json.ts';
import type { FieldValue } from '../../stand-ins/slack/people/field-values.ts';
import type { Person } from '../../stand-ins/slack/people/person.ts';
import type { Message, User } from '../../stand-ins/slack/state/model.ts';
import { textOfMessage } from '../../stand-ins/slack/views/shown-text.ts';
import { hasField, seesCompleteForm } from '../complete-form.ts';
import { inMs, mustBeAcknowledged, type Scene, shownAfter } from './scene.ts';
import { cardAsLines, messageAsLines, viewAsLines } from './shown.ts';

type Opening = { who: User; text: string; isReady: (me: Person) => boolean; what: string };

/** A person types the command; a modal must open within three seconds. */
async function openModal(scene: Scene, { who, text, isReady, what }: Opening): Promise<Person> {
  const { slack, acme, general, nameOf, print } = scene;
  const me = acme.as(who);
  const started = performance.now();
  print(`${who.realName} types /design-request ${text}`);
  const typed = mustBeAcknowledged(await me.command(general, text), 'the command');
  const { ms } = await shownAfter(scene, started, () => me.currentView(), 'the modal');
  const open = await slack.until(() => (isReady(me) ? me.currentView() : undefined), what);
  print(`Acknowledged in ${inMs(typed.ms)}, opened after ${inMs(ms)}. Slack allows 3 s each.`);
  print(viewAsLines(open, nameOf));
  return me;
}

/** An admin connects the workspace's API key, which the app checks with the service. */
export async function connect(scene: Scene): Promise<void> {
  const { service, ada, nameOf, print } = scene;
  const me = await openModal(scene, {
    who: ada,
    text: 'connect',
    isReady: (one) => one.sees().includes('API key'),
    what: 'the field for the API key',
  });
  print('She pastes the API key and the project, and presses Connect. The app checks both');
  print('with the service, and stores the key encrypted.');
  await me.fill({ 'API key': service.apiKey, [PROJECT.label]: DEFAULT_PROJECT });
  const pressed = performance.now();
  const { told } = await me.submit();
  mustBeAcknowledged(told, 'the key');
  const answer = await shownAfter(
    scene,
    pressed,
    () => /Connected|:warning:|Only workspace admins/.test(me.sees()) && me.currentView(),
    'the answer to the key',
  );
  print(viewAsLines(answer.value, nameOf));
  if (!me.sees().includes('Connected')) throw new Error('The key was not accepted.');
  await me.close();
}

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

export async function openForm(scene: Scene): Promise<void> {
  const what = 'the complete form';
  await openModal(scene, { who: scene.ann, text: TITLE, isReady: seesCompleteForm, what });
}

/** Choosing the type redraws the fields that depend on it; what was typed stays. */
export async function chooseType(scene: Scene): Promise<void> {
  const { acme, ann, nameOf, print } = scene;
  const me = acme.as(ann);
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
  const me = acme.as(ann);
  await me.click({ text: 'More options' });
  await shownAfter(scene, performance.now(), () => me.sees().includes('Wording'), 'all fields');
  await me.fill(THE_REST);
  print('The form as she sends it:');
  const form = await slack.until(() => me.currentView(), 'the form');
  print(viewAsLines(form, nameOf));
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

/** Reads the new card through the service's API, with its own key. */
export async function showCard(scene: Scene, cardId: string): Promise<void> {
  const { service, print } = scene;
  const headers = { 'x-api-key': service.issueKey() };
  const response = await fetch(`${service.url}/card/${cardId}`, { headers });
  const answer: unknown = await response.json();
  if (!response.ok || !isObject(answer) || !isObject(answer.data)) {
    throw new Error(`GET /card/${cardId} answered ${response.status}.`);
  }
  print(`GET /card/${cardId}`);
  print(cardAsLines(answer.data));
}

/** A person posts the card's link, which unfurls. */
export async function shareLink(scene: Scene, cardId: string): Promise<Message> {
  const { acme, ann, general, nameOf, print, cardUrl } = scene;
  const started = performance.now();
  const message = await acme.as(ann).post(general, `Have a look: ${cardUrl(cardId)}`);
  const unfurl = await shownAfter(scene, started, () => message.attachments[0], 'the unfurl');
  print(`Unfurled after ${inMs(unfurl.ms)}:`);
  print(messageAsLines(message, nameOf));
  return message;
}

/** The designers make progress; Refresh shows the new state. */
export async function refresh(scene: Scene, message: Message, cardId: string): Promise<void> {
  const { service, acme, ann, nameOf, print } = scene;
  service.cards.addFile(cardId, { id: 'file-1', name: 'banner-v1.png' });
  service.cards.update(cardId, { status: STATUSES.inReview });
  print('At the service, the card is now in review and has a picture.');
  print('Ann presses Refresh under her message.');
  const started = performance.now();
  const pressed = await acme.as(ann).click({ message, text: 'Refresh' });
  mustBeAcknowledged(pressed, 'Refresh');
  const again = await shownAfter(
    scene,
    started,
    () => textOfMessage(message).includes(STATUSES.inReview.name),
    'the refreshed unfurl',
  );
  print(`Redrawn after ${inMs(again.ms)}:`);
  print(messageAsLines(message, nameOf));
}

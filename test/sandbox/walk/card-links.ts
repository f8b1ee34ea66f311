import { STATUSES } from '../../stand-ins/design-service/cards.ts';
import { isObject, type JsonObject } from '../../stand-ins/slack/json.ts';
import type { Message } from '../../stand-ins/slack/state/model.ts';
import { inMs, mustBeAcknowledged, personIn, type Scene, shownAfter } from './scene.ts';
import { cardAsLines, messageAsLines } from './shown.ts';

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
  const { ann, general, nameOf, print, cardUrl } = scene;
  const started = performance.now();
  const message = await personIn(scene, ann).post(general, `Have a look: ${cardUrl(cardId)}`);
  const unfurl = await shownAfter(scene, started, () => message.attachments[0], 'the unfurl');
  print(`Unfurled after ${inMs(unfurl.ms)}:`);
  print(messageAsLines(message, nameOf));
  return message;
}

/** The designers make progress; Refresh shows the new state. */
export async function refresh(scene: Scene, message: Message, cardId: string): Promise<void> {
  const { service, ann, nameOf, print } = scene;
  service.cards.addFile(cardId, { id: 'file-1', name: 'banner-v1.png' });
  service.cards.update(cardId, { status: STATUSES.inReview });
  print('At the service, the card is now in review and has a picture.');
  print('Ann presses Refresh under her message.');
  const [before] = message.attachments;
  const started = performance.now();
  const pressed = await personIn(scene, ann).click({ message, text: 'Refresh' });
  mustBeAcknowledged(pressed, 'Refresh');
  const again = await shownAfter(
    scene,
    started,
    () => changed(message.attachments[0], before),
    'the refreshed unfurl',
  );
  print(`Redrawn after ${inMs(again.ms)}:`);
  print(messageAsLines(message, nameOf));
}

const changed = (now: JsonObject | undefined, before: JsonObject | undefined) =>
  now !== before && now;

import { STATUSES } from '../../stand-ins/design-service/cards.ts';
import { isObject, type JsonObject } from '../../stand-ins/slack/json.ts';
import type { Message } from '../../stand-ins/slack/state/model.ts';
import { cardAsLines } from '../terminal/card.ts';
import { messageAsLines } from '../terminal/message.ts';
import { inMs } from '../terminal/times.ts';
import { mustBeAcknowledged, personIn, type Scene, shownAfter } from './scene.ts';

/** Reads the new card through the service's API, with its own key. */
export async function showCard(scene: Scene, cardId: string): Promise<void> {
  const { service, look, print } = scene;
  const headers = { 'x-api-key': service.issueKey() };
  const response = await fetch(`${service.url}/card/${cardId}`, { headers });
  const answer: unknown = await response.json();
  if (!response.ok || !isObject(answer) || !isObject(answer.data)) {
    throw new Error(`GET /card/${cardId} answered ${response.status}.`);
  }
  print(`GET /card/${cardId}`);
  print(cardAsLines(answer.data, look).map((line) => `  ${line}`));
}

/** A person posts the card's link, which unfurls. */
export async function shareLink(scene: Scene, cardId: string): Promise<Message> {
  const { ann, slack, general, look, print, clock, timings, cardUrl } = scene;
  const started = clock();
  const message = await personIn(scene, ann).post(general, `Have a look: ${cardUrl(cardId)}`);
  const unfurl = await shownAfter(scene, started, () => message.attachments[0], 'the unfurl');
  await slack.idle();
  const event = slack.deliveries.findLast(({ kind }) => kind === 'event')?.attempts[0];
  timings.push({
    what: 'A posted link, until it unfurls',
    acknowledgedMs: event?.ms ?? 0,
    shownMs: unfurl.ms,
    shownIsLimited: false,
  });
  print(`Unfurled after ${inMs(unfurl.ms)}:`);
  print(messageAsLines(message, look));
  return message;
}

/** The designers make progress; Refresh shows the new state. */
export async function refresh(scene: Scene, message: Message, cardId: string): Promise<void> {
  const { service, ann, look, print, clock, timings } = scene;
  service.cards.addFile(cardId, { id: 'file-1', name: 'banner-v1.png' });
  service.cards.update(cardId, { status: STATUSES.inReview });
  print('At the service, the card is now in review and has a picture.');
  print('Ann presses Refresh under her message.');
  const [before] = message.attachments;
  const started = clock();
  const pressed = await personIn(scene, ann).click({ message, text: 'Refresh' });
  const { ms } = mustBeAcknowledged(pressed, 'Refresh');
  const again = await shownAfter(
    scene,
    started,
    () => changed(message.attachments[0], before),
    'the refreshed unfurl',
  );
  timings.push({ what: 'Refresh', acknowledgedMs: ms, shownMs: again.ms, shownIsLimited: false });
  print(`Redrawn after ${inMs(again.ms)}:`);
  print(messageAsLines(message, look));
}

const changed = (now: JsonObject | undefined, before: JsonObject | undefined) =>
  now !== before && now;

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { hasField } from '../sandbox/complete-form.ts';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import type { StoredCard } from '../stand-ins/design-service/resources.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import type { ApiCall, Channel, Ephemeral, Message, User } from '../stand-ins/slack/state/model.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import type { World } from './world.ts';

/** Posting this link wakes the app's queue without reading a card. */
export const NO_CARD = 'https://app.example.com/brand/1';

/** Posts a text and waits until this many cards are shown under it. */
export async function postShown(
  world: World,
  who: Person,
  text: string,
  { channel = world.general, cards = 1 }: { channel?: Channel; cards?: number } = {},
): Promise<Message> {
  const message = await who.post(channel, text);
  await shown(world, message, cards);
  return message;
}

export const shown = (world: World, message: Message, cards = 1): Promise<true> =>
  world.slack.until(() => message.attachments.length === cards, `${cards} cards`);

/** Waits until a message says this. */
export const untilSays = (
  { slack }: Pick<World, 'slack'>,
  message: Message | Ephemeral,
  words: string,
): Promise<true> => slack.until(() => textOfMessage(message).includes(words), words);

/** Resolves once no job of that kind is left, due now or later. */
export const jobsHandled = (world: World, kind: string) =>
  untilNone(world, kind, ['ready', 'running']);

/** Resolves once every event has been handled: what isn't shown by then never will be. */
export const eventsHandled = (world: World) => jobsHandled(world, 'slack-event');

/** Resolves once no event is being handled: those that are left wait for their time. */
export const eventsResting = (world: World) => untilNone(world, 'slack-event', ['running']);

/** Resolves once no job of that kind is left that is due by then. */
export const dueJobsHandled = (world: World, kind: string, by: Date) =>
  untilNone(world, kind, ['ready', 'running'], by.getTime());

/** Resolves once what was begun earlier is done, such as reading a card that was just created. */
export const settled = (world: World) =>
  untilNone(world, '%', ['ready', 'running'], Date.now() + 5_000);

/** @param kind as a pattern of SQL */
async function untilNone(
  world: World,
  kind: string,
  states: string[],
  dueBy = Number.POSITIVE_INFINITY,
): Promise<void> {
  await world.slack.idle();
  const db = new DatabaseSync(join(world.folder, 'app.db'), { readOnly: true });
  const jobs = db.prepare('select state, run_at from jobs where kind like ?');
  const left = () =>
    jobs
      .all(kind)
      .filter(({ state, run_at }) => states.includes(String(state)) && Number(run_at) <= dueBy);
  try {
    await expect.poll(left).toEqual([]);
  } finally {
    db.close();
  }
}

/** Posts a text whose links must not be unfurled. */
export async function postUnshown(
  world: World,
  who: Person,
  text: string,
  channel: Channel = world.general,
): Promise<Message> {
  const message = await who.post(channel, text);
  await eventsHandled(world);
  expect(message.attachments).toEqual([]);
  return message;
}

/** The app's calls to one Slack method, oldest first. */
export const slackCalls = (world: World, method: string): ApiCall[] =>
  world.slack.apiCalls.filter((call) => call.method === method);

/** Waits for the newest message that only this person sees, posted after those already there. */
export async function privateAnswer(
  world: World,
  user: User,
  act: () => Promise<unknown>,
): Promise<Ephemeral> {
  const before = world.acme.ephemerals(user).length;
  await act();
  const all = await world.slack.until(() => {
    const now = world.acme.ephemerals(user);
    return now.length > before && now;
  }, 'a private answer');
  expect(all.length).toBe(before + 1);
  return all.at(-1) as Ephemeral;
}

/** The same, once they have pressed something or typed a command in #general. */
export const answerTo = (
  world: World,
  who: Person,
  done: string | Parameters<Person['click']>[0],
): Promise<Ephemeral> =>
  privateAnswer(world, who.user, async () =>
    typeof done === 'string' ? who.command(world.general, done) : who.click(done),
  );

/** A card that Ann shares in #general from a status reply. @returns the first that is shared there */
export async function sharedCard(world: World, id: string): Promise<Message> {
  const { acme, general, slack, me } = world;
  const ephemeral = await answerTo(world, me, `status ${id}`);
  await me.click({ ephemeral, text: 'Share in this channel' });
  return slack.until(
    () => acme.messages(general).find((one) => textOfMessage(one).includes('Shared by')),
    'the shared card',
  );
}

/** Posts a link of which Slack tells the app as if it had been posted that long ago, without escaping it. */
export async function deliverLink(world: World, url: string, ageMs = 0): Promise<Message> {
  const { slack, acme, ann, general, me } = world;
  const { manifest } = slack.state;
  const { botEvents } = manifest;
  manifest.botEvents = [];
  const message = await me.post(general, url);
  manifest.botEvents = botEvents;
  const event = {
    type: 'link_shared',
    channel: general.id,
    user: ann.id,
    message_ts: message.ts,
    links: [{ url, domain: 'app.example.com' }],
    event_ts: message.ts,
  };
  const authorizations = [{ enterprise_id: null, team_id: acme.id, user_id: 'U', is_bot: true }];
  const event_time = Math.floor((slack.state.clock().getTime() - ageMs) / 1_000);
  const envelope = { type: 'event_callback', team_id: acme.id, api_app_id: slack.appId };
  const body = { ...envelope, authorizations, event_id: `Ev${message.ts}`, event_time, event };
  expect(await slack.sendSigned(JSON.stringify(body), 'application/json')).toMatchObject({
    status: 200,
  });
  return message;
}

export async function changeSettings(
  world: Pick<World, 'acme' | 'admin' | 'general' | 'slack'>,
  changes: Record<string, string | string[]>,
): Promise<void> {
  const ada = world.acme.as(world.admin);
  await ada.command(world.general, 'settings');
  await world.slack.until(() => hasField(ada, 'Card links'), 'the settings');
  await ada.fill(changes);
  await ada.submit();
  await world.slack.until(() => ada.sees().includes('Settings saved'), 'the settings to be saved');
  await ada.close({ all: true });
}

export const SHARE_EXTERNALLY = 'Show cards in channels shared with another company';
export const ALLOW_GUESTS = 'Let guests make requests and see cards';

/** Another company that a channel is shared with, and one of its people. */
export function shareWithGlobex(world: World) {
  const { acme, admin, ann, slack } = world;
  const globex = slack.addWorkspace({ name: 'Globex', installed: false });
  const bob = acme.addUser({ name: 'Bob', of: globex });
  const shared = acme.addChannel({
    name: 'with-globex',
    sharedWith: [globex],
    members: [admin, ann, bob],
  });
  return { globex, bob, shared };
}

/** A card with every field filled, unless changed, and three files. */
export function fullCard({ service }: Pick<World, 'service'>, changes: Partial<StoredCard> = {}) {
  const { brands, requestTypes } = service.referenceLists;
  const card = service.cards.add({
    title: 'Autumn poster',
    requestTypeId: requestTypes.find(({ name }) => name === 'Social media')?.id ?? null,
    productType: 'Graphics Video',
    dimensions: 'A2: 420 × 594 mm',
    brandId: brands.find(({ name }) => name === 'Amber Bakery')?.id ?? '',
    labels: ['Priority', 'Print'],
    tags: ['Autumn', 'Q&A'],
    fileFormats: 'PDF, PNG',
    status: STATUSES.inReview,
    ...changes,
  });
  for (const name of ['first.png', 'newest.jpg', 'sources.zip']) {
    service.cards.addFile(card.id, { name });
  }
  return card;
}

/** A card with a picture, and its link. */
export function poster(
  { service, cardUrl }: Pick<World, 'service' | 'cardUrl'>,
  changes: Partial<StoredCard> = {},
) {
  const { id } = service.cards.add({ title: 'Autumn poster', status: STATUSES.toDo, ...changes });
  service.cards.addFile(id, { name: 'poster.png' });
  return { id, url: cardUrl(id) };
}

export const finish = ({ service }: Pick<World, 'service'>, id: string) =>
  service.cards.update(id, { title: 'Winter poster', status: STATUSES.done });

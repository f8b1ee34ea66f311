import { expect } from 'vitest';
import { workspaceIdOf } from '../../src/installations/workspace-id.ts';
import { createWatchStore } from '../../src/store/watches.ts';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import type { StoredCard } from '../stand-ins/design-service/resources.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import type { Channel, Message, User } from '../stand-ins/slack/state/model.ts';
import { databaseOf, dueJobs } from './database-rows.ts';
import { created, pressUntil, sendRequest } from './form.ts';
import { answerTo, changeSettings, NO_CARD, postShown, sharedCard as shareCard } from './links.ts';
import { openPane, postWorkObjects, SETTING } from './work-objects.ts';
import { startWorld, type World, type WorldOptions } from './world.ts';

const MINUTE_MS = 60_000;
/** In minutes. */
export const A_SECOND = 1 / 60;
/** In minutes. */
export const A_MOMENT = 0.01;
/** In minutes. After so long, a card is read about once an hour. */
export const QUIET_DAY = 20 * 60;

type Posting = { fields?: object; workObjects?: boolean; channel?: Channel };

/** A world whose clock only moves when it is told to. */
export async function timedWorld(options: WorldOptions = {}) {
  // The app and Slack count some times in whole seconds.
  let now = Math.ceil(Date.now() / 1_000) * 1_000;
  const world = await startWorld({ ...options, clock: () => new Date(now) });
  const quiet = world.acme.addChannel({ name: 'quiet', members: [world.admin] });
  const wake = () => world.acme.as(world.admin).post(quiet, NO_CARD);
  async function moveAndWait(minutes: number): Promise<void> {
    now += minutes * MINUTE_MS;
    await wake();
    await expect.poll(() => dueJobs(world, now), { timeout: 10_000 }).toBe(0);
    await world.slack.idle();
  }
  async function later(minutes: number): Promise<void> {
    await moveAndWait(minutes);
    if (minutes > A_SECOND) await moveAndWait(A_SECOND);
  }
  return {
    ...world,
    wake,
    move(minutes: number) {
      now += minutes * MINUTE_MS;
    },
    /** Another process notices that a card has changed. */
    async noticedElsewhere(cardId: string) {
      now += A_MOMENT * MINUTE_MS;
      const watches = createWatchStore(databaseOf(world));
      const watched = await watches.get({ workspaceId: workspaceIdOf(world.acme.id), cardId });
      if (watched) await watches.change(watched, { changedAt: new Date(now) });
    },
    /** Moves the clock, and waits until everything that is due by then was done. */
    exactly: moveAndWait,
    /** The same, and a second longer: what changed is drawn a second later. */
    later,
    /** A card, and the message in which someone posts its link. */
    async posted(who: Person, { fields = {}, workObjects = false, ...where }: Posting = {}) {
      if (workObjects) await changeSettings(world, { [SETTING]: 'On' });
      const { id } = world.service.cards.add({
        title: 'Autumn poster',
        status: STATUSES.toDo,
        ...fields,
      });
      const post = workObjects ? postWorkObjects : postShown;
      return { id, message: await post(world, who, world.cardUrl(id), where) };
    },
    /** Changes a card, and lets some times pass, one after the other. */
    async changed(cardId: string, fields: Partial<StoredCard>, ...minutes: number[]) {
      world.service.cards.update(cardId, fields);
      for (const each of minutes.length > 0 ? minutes : [3]) await later(each);
    },
  };
}

/** Presses Watch in the pane of the Work Object in a message. */
export async function watchInPane(world: World, who: Person, message: Message): Promise<void> {
  const pane = await openPane(world, who, { message });
  await pressUntil(world, who, { pane, text: 'Watch' }, 'You’re watching');
}

export const repliesTo = (world: World, message: Message, channel = world.general): Message[] =>
  world.acme.messages(channel).filter(({ threadTs }) => threadTs === message.ts);

/** A request of Ann's that became a card, which was read once. */
export async function withRequest(changes = {}, { workObjects = false } = {}) {
  const timed = await timedWorld();
  const { world, acme, ann, general, slack, later, me } = timed;
  if (workObjects) await changeSettings(world, { [SETTING]: 'On' });
  await sendRequest(world, me, changes);
  const { createdCardId: cardId = '' } = await created(world);
  const confirmation = await slack.until(
    () => acme.messages(general)[0] ?? acme.directMessages(ann)[0],
    'the confirmation',
  );
  await later(1);
  return { ...timed, cardId, confirmation };
}

/** A card whose preview is posted by the admin, and which Ann watches from there. */
export async function previewed(fields = {}) {
  const timed = await timedWorld();
  const { world, posted, later, me, ada } = timed;
  const { id, message } = await posted(ada, { fields });
  const answer = await answerTo(world, me, { message, text: 'Watch' });
  await later(1);
  return { ...timed, id, message, answer };
}

/** More people who watch a card in a thread. */
export async function watchedByMany(
  world: World,
  { cardId, thread, count }: { cardId: string; thread: Message; count: number },
): Promise<User[]> {
  const { acme, general } = world;
  const people = Array.from({ length: count }, (_, n) => acme.addUser({ name: `Person ${n}` }));
  const watches = createWatchStore(databaseOf(world));
  for (const { id: userId } of people) {
    general.members.add(userId);
    const watcher = { userId, thread: { channel: general.id, ts: thread.ts } };
    const card = { workspaceId: workspaceIdOf(acme.id), cardId };
    await watches.addWatcher(card, watcher, new Date());
  }
  return people;
}

/** A card whose status Ann shares in the channel; the admin may watch it before. */
export async function sharedCard({ isWatched = false, workObjects = false } = {}) {
  const timed = await timedWorld();
  const { world, service, cardUrl, later, ada } = timed;
  if (workObjects) await changeSettings(world, { [SETTING]: 'On' });
  const { id } = service.cards.add({ title: 'Autumn poster', status: STATUSES.toDo });
  const post = workObjects ? postWorkObjects : postShown;
  const preview = isWatched ? await post(world, ada, cardUrl(id)) : undefined;
  if (preview) await ada.click({ message: preview, text: 'Watch' });
  const message = await shareCard(world, id);
  await later(1);
  return { ...timed, id, message };
}

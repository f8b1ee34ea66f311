import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/ops/logging.ts';
import {
  createWatching,
  showPayload,
  WATCH_JOBS,
  watchCreated,
} from '../../src/watching/begin-watching.ts';
import { readWatchedCard, watchJobHandlers } from '../../src/watching/read-watched-card.ts';
import { T1 } from '../installations/ids.ts';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import { newRequest } from '../store/request-suite.ts';
import { watchedUnderTest } from './watched-under-test.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A watched card that was read once, so its watchers know it. */
async function known() {
  const watched = await watchedUnderTest();
  await watched.watch();
  await watched.readAfter(0);
  return watched;
}

describe('a watched card', () => {
  it('is announced once, although the job may run again and others may run it at the same time', async () => {
    const { design, card, clock, read, announced } = await known();
    design.cards.update(card.id, { status: STATUSES.inProgress });
    clock.now = new Date(clock.now.getTime() + 2 * MINUTE * 1_000);
    await Promise.all([read(), read(), read()]);
    await read();
    expect(await announced()).toHaveLength(1);
  });

  it('is not announced as changed back when another replica remembers it from before', async () => {
    const { design, card, clock, ctx, key, read, readAfter, announced, cardsElsewhere } =
      await known();
    const cards = cardsElsewhere();
    const { watchId = '' } = (await ctx.watches.get(key)) ?? {};
    design.cards.update(card.id, { status: STATUSES.inReview });
    clock.now = new Date(clock.now.getTime() + 30_000);
    await readWatchedCard({ ...ctx, cards }, { ...key, watchId });
    expect(await readAfter(20)).toBeLessThanOrEqual(2);
    expect(await announced()).toHaveLength(1);
    clock.now = new Date(clock.now.getTime() + 2 * MINUTE * 1_000);
    await read();
    expect(await announced()).toHaveLength(1);
  });

  it('is not announced with what another replica has shown, and is drawn no older, when someone begins to watch it', async () => {
    const { design, card, key, clock, ctx, announced, storedJobs, now, cardsElsewhere } =
      await watchedUnderTest();
    const log = createLog({ level: 'silent' });
    const [here, elsewhere] = [cardsElsewhere(), cardsElsewhere()];
    const { workspaceId, cardId } = key;
    const later = (minutes: number) => {
      clock.now = new Date(clock.now.getTime() + minutes * MINUTE * 1_000);
    };
    await here.read(workspaceId, cardId, { class: 'posted' });
    later(30);
    design.cards.update(card.id, { status: STATUSES.inReview });
    await elsewhere.read(workspaceId, cardId, { class: 'posted' });
    later(2);
    const seen = await here.load(workspaceId, cardId);
    const known = seen && 'card' in seen ? seen : undefined;
    await createWatching({ transact: ctx.transact, now, log }).watch({
      ...key,
      userId: 'U1',
      known,
    });
    const [show] = await storedJobs(WATCH_JOBS.show);
    const { readAt } = showPayload.parse(JSON.parse(show?.payload ?? ''));
    const drawn = await here.read(workspaceId, cardId, { class: 'watch', since: new Date(readAt) });
    expect(drawn).toMatchObject({ card: { status: { name: 'In review' } } });
    const { watchId = '' } = (await ctx.watches.get(key)) ?? {};
    for (const cards of [here, elsewhere]) {
      await readWatchedCard({ ...ctx, cards }, { ...key, watchId });
      later(2);
    }
    expect(await announced()).toEqual([]);
  });

  it('collects files that arrive one after the other, unless the status changes too', async () => {
    const { design, card, readAfter, announced } = await known();
    const addFile = (name: string) => design.cards.addFile(card.id, { name, ext: 'png', type: '' });
    addFile('one');
    await readAfter(2 * MINUTE);
    addFile('two');
    expect(await readAfter(2 * MINUTE)).toBeCloseTo(8);
    addFile('three');
    await readAfter(2 * MINUTE);
    expect(await announced()).toHaveLength(1);
    await readAfter(6 * MINUTE);
    expect((await announced()).map(({ news }) => news !== 'gone' && news.files?.length)).toEqual([
      1, 2,
    ]);
    addFile('four');
    design.cards.update(card.id, { status: STATUSES.done });
    await readAfter(2 * MINUTE);
    expect((await announced()).at(-1)?.news).toMatchObject({
      status: { from: 'To do', to: 'Done' },
      files: [expect.any(String)],
      isFinished: true,
    });
  });
});

describe('the files that an author attached', () => {
  /** A card that was created with that file, which the service copies to it later, or has copied already. */
  async function created(attached: string, copied?: { name: string; ext: string; type: string }) {
    const watched = await watchedUnderTest();
    const { design, card, stores, readAfter, now } = watched;
    const form = { ...newRequest('r1').form, referenceFiles: [{ id: 'F1', name: attached }] };
    const request = await stores.requests.add(newRequest('r1', { form }), now());
    if (!request) throw new Error('it was not added');
    await watchCreated(stores.watches, { ...request, cardId: card.id }, now());
    if (copied) design.cards.addFile(card.id, copied);
    await readAfter(0);
    return watched;
  }

  it.each([
    ['as in Slack', 'Größen & Maße.pdf', 'pdf'],
    ['as in the URL that the service got', 'Gro-en-Ma-e.pdf', 'pdf'],
    ['without their extension', 'Größen & Maße', 'pdf'],
  ])('are no news when the service has copied them, %s', async (_how, name, ext) => {
    const { design, card, readAfter, announced } = await created('Größen & Maße.pdf');
    design.cards.addFile(card.id, { name, ext, type: '' });
    await readAfter(2 * MINUTE);
    expect(await announced()).toEqual([]);
    design.cards.addFile(card.id, { name, ext, type: '' });
    await readAfter(2 * MINUTE);
    expect(await announced()).toHaveLength(1);
  });

  it('are not mistaken for a later one with the same name', async () => {
    const logo = { name: 'logo.png', ext: 'png', type: '' };
    const { design, card, readAfter, announced } = await created('logo.png', logo);
    design.cards.addFile(card.id, logo);
    await readAfter(2 * MINUTE);
    expect(await announced()).toHaveLength(1);
  });
});

describe('the schedule of a watched card', () => {
  it('is a few minutes at first, slower while nothing changes, faster after a change', async () => {
    const { design, card, readAfter } = await known();
    expect(await readAfter(2 * MINUTE)).toBeCloseTo(2, 0);
    expect(await readAfter(10 * HOUR)).toBeGreaterThan(20);
    expect(await readAfter(5 * DAY)).toBeGreaterThan(100);
    expect(await readAfter(5 * DAY)).toBeLessThan(180);
    design.cards.update(card.id, { status: STATUSES.inProgress });
    expect(await readAfter(HOUR)).toBeCloseTo(2, 0);
  });

  it('is a few minutes again if other calls of its key are running, and calls are left', async () => {
    const { design, cards, readAfter, readCalls } = await known();
    await readAfter(DAY);
    design.faults.add({ kind: 'hang' });
    for (const { id } of [design.cards.add({ title: 'A' }), design.cards.add({ title: 'B' })]) {
      cards.read(T1, id, { class: 'person' }).catch(() => undefined);
    }
    await expect.poll(readCalls).toBe(4);
    for (const _ of 'several') expect(await readAfter(HOUR)).toBeLessThanOrEqual(2.1);
  });

  it.each([
    ['Done', 4],
    ['In review', 31],
  ])(
    'ends for a card that stays “%s” for %i days, and nothing of it is kept',
    async (name, days) => {
      const { design, card, readAfter, ctx, key } = await known();
      design.cards.update(card.id, { status: { id: 's', name, color: '#30a46c' } });
      await readAfter(2 * MINUTE);
      expect(await readAfter((days - 2) * DAY)).not.toBe('done');
      expect(await readAfter(2 * DAY)).toBe('done');
      expect(await ctx.watches.get(key)).toBeUndefined();
      expect(await ctx.watches.watchersOf(key)).toEqual([]);
    },
  );
});

describe('a watched card that can’t be read', () => {
  it('makes no call while there is no usable key, and goes on with a new one', async () => {
    const { design, card, connect, readAfter, readCalls, announced } = await known();
    design.faults.add({ kind: 'status', status: 401, operation: 'getCard', times: 1 });
    await readAfter(2 * MINUTE);
    const before = readCalls();
    expect(await readAfter(HOUR)).toBe(10);
    expect(await readAfter(HOUR)).toBe(10);
    expect(readCalls()).toBe(before);
    design.cards.update(card.id, { status: STATUSES.done });
    await connect(T1);
    await readAfter(10 * MINUTE);
    expect(await announced()).toHaveLength(1);
  });

  it('is announced as gone after a day, once, and is not read any more', async () => {
    const { design, read, readAfter, readCalls, announced, ctx, key } = await known();
    const { watchId } = (await ctx.watches.get(key)) ?? {};
    design.faults.add({ kind: 'status', status: 404, operation: 'getCard' });
    expect(await readAfter(2 * MINUTE)).not.toBe('done');
    expect(await readAfter(23 * HOUR)).not.toBe('done');
    expect(await announced()).toEqual([]);
    expect(await readAfter(2 * HOUR)).toBe('done');
    const before = readCalls();
    expect(await read(watchId)).toBe('done');
    expect(readCalls()).toBe(before);
    expect(await announced()).toEqual([{ to: { userIds: ['U1'] }, news: 'gone' }]);
  });

  it('is announced as gone once, also to someone who begins to watch at that moment', async () => {
    const { design, clock, ctx, key, watch, read, readAfter, announced } = await known();
    design.faults.add({ kind: 'status', status: 404, operation: 'getCard' });
    await readAfter(2 * MINUTE);
    clock.now = new Date(clock.now.getTime() + 25 * HOUR * 1_000);
    const { watchId = '' } = (await ctx.watches.get(key)) ?? {};
    const cards: typeof ctx.cards = {
      ...ctx.cards,
      async read(...asked) {
        await watch('U2');
        return ctx.cards.read(...asked);
      },
    };
    expect(await readWatchedCard({ ...ctx, cards }, { ...key, watchId })).not.toBe('done');
    expect(await announced()).toEqual([]);
    expect(await read()).toBe('done');
    expect((await announced()).map(({ to }) => to.userIds)).toEqual([['U1'], ['U2']]);
  });

  it('is not taken for gone if it can be read again within a day', async () => {
    const { design, readAfter, announced } = await known();
    design.faults.add({ kind: 'status', status: 403, operation: 'getCard', times: 1 });
    await readAfter(2 * MINUTE);
    await readAfter(23 * HOUR);
    design.faults.add({ kind: 'status', status: 403, operation: 'getCard', times: 1 });
    await readAfter(2 * HOUR);
    expect(await announced()).toEqual([]);
  });

  it('is the same card with the same title, although its creator is shown differently', async () => {
    const { design, card, readAfter, announced } = await known();
    design.cards.update(card.id, { createdBy: { id: 'user-1', name: 'Mia Newname' } });
    await readAfter(2 * MINUTE);
    design.cards.update(card.id, { status: STATUSES.inReview });
    await readAfter(2 * MINUTE);
    expect(await announced()).toMatchObject([
      { news: { status: { from: 'To do', to: 'In review' } } },
    ]);
  });

  it.each(['Canceled', 'Rejected by the client', 'Declined'])(
    'isn’t announced as done if it is %s',
    async (name) => {
      const { design, card, readAfter, announced } = await known();
      design.cards.update(card.id, { status: { id: 'status-x', name, color: '#e5484d' } });
      await readAfter(2 * MINUTE);
      const [{ news } = {}] = await announced();
      expect(news).toEqual({ status: { from: 'To do', to: name } });
    },
  );

  it('is another card if a new key’s account has one under the same ID: that is not announced', async () => {
    const { design, card, readAfter, announced } = await known();
    design.cards.update(card.id, {
      title: 'Secret of others',
      status: STATUSES.done,
      createdAt: new Date('2020-01-01'),
    });
    expect(await readAfter(2 * MINUTE)).toBe('done');
    expect(await announced()).toEqual([]);
  });
});

it('a card that hasn’t changed for days is read again soon after an outage', async () => {
  const { design, readAfter } = await known();
  await readAfter(2 * DAY);
  design.faults.add({ kind: 'status', status: 503, operation: 'getCard' });
  const pauses = [await readAfter(2 * MINUTE)];
  // The breaker opens.
  for (let time = 0; time < 20; time += 1) pauses.push(await readAfter(1));
  for (const minutes of pauses) expect(minutes).toBeLessThan(5);
});

it('a watched card is read and announced after any number of errors of ours', async () => {
  const { db, design, card, clock, ctx, key, announced } = await known();
  const { watchId } = (await ctx.watches.get(key)) ?? {};
  design.cards.update(card.id, { status: STATUSES.done });
  clock.now = new Date(clock.now.getTime() + 2 * MINUTE * 1_000);
  await sql`CREATE TRIGGER fault BEFORE UPDATE ON watched_cards
    BEGIN SELECT RAISE(ABORT, 'no room'); END`.execute(db);
  const silent = { show: async () => undefined, tell: async () => undefined };
  const log = createLog({ level: 'silent' });
  const handlers = watchJobHandlers({ ...ctx, notifier: silent, log });
  const payload = { cardId: key.cardId, watchId };
  const times = { runAt: clock.now, createdAt: clock.now };
  const claim = { id: 1, fence: 1, identity: undefined, attempts: 99, ...times };
  const job = { ...claim, kind: WATCH_JOBS.read };
  const run = () => handlers[WATCH_JOBS.read]?.({ ...job, ...key, payload });
  expect(await run()).toMatchObject({ retryAt: expect.any(Date) });
  await sql`DROP TRIGGER fault`.execute(db);
  await run();
  expect(await announced()).toHaveLength(1);
});

describe('a card that is watched already', () => {
  it('belongs to the request that turns out to have created it', async () => {
    const { ctx, key, stores, now } = await known();
    const request = await stores.requests.add(newRequest('r1', { userId: 'U2' }), now());
    if (!request) throw new Error('it was not added');
    const created = { ...request, cardId: key.cardId };
    expect(await watchCreated(stores.watches, created, now())).toBeUndefined();
    expect(await ctx.watches.get(key)).toMatchObject({ requestId: 'r1' });
  });
});

describe('the end of a watch', () => {
  it('doesn’t take a watcher along who came at the same moment', async () => {
    const { ctx, key, watch, read } = await known();
    const watched = await ctx.watches.get(key);
    await watch('U2');
    if (!watched) throw new Error('it is not watched');
    expect(await ctx.watches.end(watched)).toBe(false);
    expect(await ctx.watches.watchersOf(key)).toHaveLength(2);
    expect(await read()).not.toBe('done');
  });

  it('comes with the next read if nobody watches the card any more', async () => {
    const { ctx, key, read, readCalls } = await known();
    const before = readCalls();
    await ctx.watches.removeWatcher(key, 'U1');
    expect(await read()).toBe('done');
    expect(readCalls()).toBe(before);
    expect(await ctx.watches.get(key)).toBeUndefined();
  });
});

describe('stopping', () => {
  it('leaves nothing to do for the job of that watch, even if the card is watched again', async () => {
    const { watch, stop, read, ctx, key } = await known();
    const { watchId } = (await ctx.watches.get(key)) ?? {};
    await stop();
    await watch();
    expect(await read(watchId)).toBe('done');
    expect(await read()).not.toBe('done');
  });

  it('ends the watch of a card that nobody else watches', async () => {
    const { watch, stop, ctx, key } = await known();
    expect(await watch()).toBe(false);
    for (let times = 0; times < 2; times += 1) expect(await stop()).toBe(false);
    expect(await ctx.watches.get(key)).toBeUndefined();
    expect(await watch()).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import type { RequestForm } from '../../src/requests/request.ts';
import type { NewRequest } from '../../src/store/request-rows.ts';
import { T1, T2 } from '../workspaces/ids.ts';
import { at, type OpenStores } from './stores-under-test.ts';

export const FORM: RequestForm = {
  title: 'Spring banner',
  requestType: { id: 'type-1', name: 'Social media' },
  product: 'Graphics',
  description: {
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: '\u0000 ü 🎨' }] }],
  },
  dimensions: 'Post: 1080 × 1080 px\nStory: 1080 × 1920 px',
  software: 'Figma',
  formats: ['PNG', 'JPG'],
  isDraft: false,
};

/** A request as the form sends it; its reference follows from its id. */
export const newRequest = (id: string, changes: Partial<NewRequest> = {}): NewRequest => ({
  id,
  reference: `DR-${id}`,
  workspaceId: T1,
  userId: 'U1',
  form: FORM,
  viewId: 'V1',
  ...changes,
});

export function describeRequests(openStores: OpenStores): void {
  const openRequests = async () => (await openStores()).stores.requests;

  describe('a new request', () => {
    it('is kept as it was sent, and waits for its turn', async () => {
      const requests = await openRequests();
      expect(await requests.add(newRequest('r1'), at(0))).toBe(true);
      expect(await requests.get(T1, 'r1')).toEqual({
        ...newRequest('r1'),
        state: 'queued',
        revision: 1,
        attempts: 0,
        announcedRevision: 0,
        createdAt: at(0),
        updatedAt: at(0),
        problem: undefined,
        cardId: undefined,
        message: undefined,
      });
    });

    it('is one request, however often the same form is sent', async () => {
      const { stores, openAgain } = await openStores();
      const other = await openAgain();
      const added = await Promise.all(
        [stores, other, stores].map(({ requests }, i) =>
          requests.add(newRequest('r1', { reference: `DR-${i}` }), at(i)),
        ),
      );
      expect(added.filter(Boolean)).toHaveLength(1);
      expect(await stores.requests.listByAuthor(T1, 'U1', 10)).toHaveLength(1);
    });

    it('is seen from no other workspace', async () => {
      const requests = await openRequests();
      await requests.add(newRequest('r1'), at(0));
      const theirs = { workspaceId: T2, id: 'r1' };
      expect(await requests.get(T2, 'r1')).toBeUndefined();
      expect(await requests.listByAuthor(T2, 'U1', 10)).toEqual([]);
      expect(await requests.listByState(T2, 'queued')).toEqual([]);
      expect(await requests.move(theirs, ['queued'], 'discarded', {}, at(1))).toBeUndefined();
      await requests.markAnnounced({ ...theirs, revision: 9 }, { channel: 'C1', ts: '1.1' });
      expect(await requests.get(T1, 'r1')).toMatchObject({
        state: 'queued',
        announcedRevision: 0,
        message: undefined,
      });
    });

    it('can not take the id of another workspace’s request', async () => {
      const requests = await openRequests();
      await requests.add(newRequest('r1'), at(0));
      const theirs = newRequest('r1', { workspaceId: T2, reference: 'DR-2' });
      expect(await requests.add(theirs, at(1))).toBe(false);
      expect(await requests.get(T2, 'r1')).toBeUndefined();
    });
  });

  describe('a move', () => {
    it('of what one claim sends is not made once another sends it', async () => {
      const requests = await openRequests();
      await requests.add(newRequest('r1'), at(0));
      const send = (sentBy: string) =>
        requests.move(newRequest('r1'), ['queued'], 'sending', { sentBy }, at(1));
      const doubt = (whileSentBy?: string) =>
        requests.move({ ...newRequest('r1'), whileSentBy }, ['sending'], 'in_doubt', {}, at(2));
      expect(await send('1/1')).toMatchObject({ state: 'sending', sentBy: '1/1' });
      await requests.move(newRequest('r1'), ['sending'], 'queued', {}, at(1));
      await send('1/2');
      expect(await doubt('1/1')).toBeUndefined();
      expect(await doubt('1/2')).toMatchObject({ state: 'in_doubt', sentBy: '1/2' });
    });

    it('names who sends it only where that is asked', async () => {
      const requests = await openRequests();
      await requests.add(newRequest('r1'), at(0));
      await requests.move(newRequest('r1'), ['queued'], 'sending', {}, at(1));
      const request = { ...newRequest('r1'), whileSentBy: undefined };
      expect(await requests.move(request, ['sending'], 'in_doubt', {}, at(2))).toBeDefined();
    });

    it('succeeds for one of all who try', async () => {
      const { stores, openAgain } = await openStores();
      const other = await openAgain();
      await stores.requests.add(newRequest('r1'), at(0));
      const moved = await Promise.all(
        [stores, other, stores, other].map(({ requests }) =>
          requests.move(newRequest('r1'), ['queued'], 'sending', { attempts: 1 }, at(1)),
        ),
      );
      expect(moved.filter(Boolean)).toHaveLength(1);
      expect(await stores.requests.get(T1, 'r1')).toMatchObject({
        state: 'sending',
        revision: 2,
        attempts: 1,
        updatedAt: at(1),
      });
    });

    it('answers with the request as it is then, and carries what changed with it', async () => {
      const requests = await openRequests();
      await requests.add(newRequest('r1'), at(0));
      const problem = { code: 'busy' as const, retryAt: at(60).getTime() };
      const form = { ...FORM, title: 'Autumn banner' };
      const moved = await requests.move(
        newRequest('r1'),
        ['queued', 'rejected'],
        'queued',
        { problem, form, viewId: 'V2', cardId: 'card-1' },
        at(1),
      );
      expect(moved).toMatchObject({ problem, form, viewId: 'V2', cardId: 'card-1', revision: 2 });
      expect(await requests.get(T1, 'r1')).toEqual(moved);
    });

    it('leaves a problem behind and keeps what it does not name', async () => {
      const requests = await openRequests();
      await requests.add(newRequest('r1'), at(0));
      const change = { problem: { code: 'busy' as const }, cardId: 'card-1', attempts: 3 };
      await requests.move(newRequest('r1'), ['queued'], 'sending', change, at(1));
      const moved = await requests.move(newRequest('r1'), ['sending'], 'created', {}, at(2));
      expect(moved).toMatchObject({
        problem: undefined,
        cardId: 'card-1',
        attempts: 3,
        viewId: 'V1',
        form: FORM,
      });
    });

    it('does nothing from another state', async () => {
      const requests = await openRequests();
      await requests.add(newRequest('r1'), at(0));
      const moved = await requests.move(newRequest('r1'), ['sending'], 'created', {}, at(1));
      expect(moved).toBeUndefined();
      expect(await requests.get(T1, 'r1')).toMatchObject({ state: 'queued', revision: 1 });
    });
  });

  describe('lists of requests', () => {
    it('of an author hold the newest first, and no more than asked for', async () => {
      const requests = await openRequests();
      await requests.add(newRequest('r1'), at(0));
      await requests.add(newRequest('r3'), at(2));
      await requests.add(newRequest('r2'), at(1));
      await requests.add(newRequest('r4', { userId: 'U2' }), at(3));
      const mine = await requests.listByAuthor(T1, 'U1', 2);
      expect(mine.map(({ id }) => id)).toEqual(['r3', 'r2']);
    });

    it('of a state hold the oldest first', async () => {
      const requests = await openRequests();
      await requests.add(newRequest('r2'), at(2));
      await requests.add(newRequest('r1'), at(1));
      await requests.add(newRequest('r3'), at(3));
      await requests.move(newRequest('r3'), ['queued'], 'waiting_for_key', {}, at(4));
      const queued = await requests.listByState(T1, 'queued');
      expect(queued.map(({ id }) => id)).toEqual(['r1', 'r2']);
    });

    it('of what a process left undone hold every workspace’s', async () => {
      const requests = await openRequests();
      const theirs = newRequest('r2', { workspaceId: T2 });
      await requests.add(newRequest('r1'), at(0));
      await requests.add(theirs, at(0));
      await requests.add(newRequest('r3'), at(0));
      await requests.move(theirs, ['queued'], 'sending', {}, at(1));
      await requests.move(newRequest('r3'), ['queued'], 'created', {}, at(1));
      const ids = (await requests.listUndelivered()).map(({ id }) => id);
      expect(ids.sort()).toEqual(['r1', 'r2']);
    });
  });

  describe('what an author was told', () => {
    it('is remembered with the message that said so', async () => {
      const requests = await openRequests();
      await requests.add(newRequest('r1'), at(0));
      const created = await requests.move(newRequest('r1'), ['queued'], 'created', {}, at(1));
      expect((await requests.listUnannounced()).map(({ id }) => id)).toEqual(['r1']);
      const message = { channel: 'C1', ts: '1.1' };
      await requests.markAnnounced({ ...newRequest('r1'), revision: 2 }, message);
      expect(await requests.listUnannounced()).toEqual([]);
      expect(await requests.get(T1, 'r1')).toEqual({ ...created, announcedRevision: 2, message });
    });

    it('never goes back to an earlier state of the request', async () => {
      const requests = await openRequests();
      await requests.add(newRequest('r1'), at(0));
      await requests.markAnnounced({ ...newRequest('r1'), revision: 3 });
      await requests.markAnnounced(
        { ...newRequest('r1'), revision: 2 },
        { channel: 'C1', ts: '1.1' },
      );
      expect(await requests.get(T1, 'r1')).toMatchObject({
        announcedRevision: 3,
        message: undefined,
      });
    });

    it('keeps the place of an earlier message where a later state needed none', async () => {
      const requests = await openRequests();
      const message = { channel: 'C1', ts: '1.1' };
      await requests.add(newRequest('r1'), at(0));
      await requests.markAnnounced({ ...newRequest('r1'), revision: 1 }, message);
      await requests.markAnnounced({ ...newRequest('r1'), revision: 2 });
      expect((await requests.get(T1, 'r1'))?.message).toEqual(message);
    });

    it('is owed for no request that is still on its way', async () => {
      const requests = await openRequests();
      await requests.add(newRequest('r1'), at(0));
      await requests.add(newRequest('r2'), at(0));
      await requests.move(newRequest('r2'), ['queued'], 'sending', {}, at(1));
      expect(await requests.listUnannounced()).toEqual([]);
    });
  });
}

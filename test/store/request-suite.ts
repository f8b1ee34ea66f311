import { describe, expect, it } from 'vitest';
import type { DesignRequest, RequestForm } from '../../src/requests/request.ts';
import { type ClaimedJob, claimOf } from '../../src/store/jobs.ts';
import type { NewRequest } from '../../src/store/requests.ts';
import { T1, T2 } from '../installations/ids.ts';
import { at, claimNext, type OpenStores } from './stores-under-test.ts';

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

/** A request as the form sends it; its reference follows from its ID. */
export const newRequest = (id: string, changes: Partial<NewRequest> = {}): NewRequest => ({
  id,
  reference: `DR-${id}`,
  workspaceId: T1,
  userId: 'U1',
  form: FORM,
  viewId: 'V1',
  ...changes,
});

export async function idsOf(requests: AsyncIterable<DesignRequest>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of requests) ids.push(id);
  return ids;
}

export function describeRequests(openStores: OpenStores): void {
  const openRequests = async () => (await openStores()).stores.requests;

  describe('a new request', () => {
    it('is stored as it was sent, and waits to be sent', async () => {
      const requests = await openRequests();
      const added = await requests.add(newRequest('r1'), at(0));
      expect(await requests.get(T1, 'r1')).toEqual(added);
      expect(added).toMatchObject({
        ...newRequest('r1'),
        state: 'queued',
        revision: 1,
        attempts: 0,
        announcedRevision: 0,
        createdAt: at(0),
        updatedAt: at(0),
      });
      expect([added?.problem, added?.cardId, added?.message]).toEqual(Array(3).fill(undefined));
    });

    it('is invisible to other workspaces', async () => {
      const requests = await openRequests();
      await requests.add(newRequest('r1'), at(0));
      const theirs = { workspaceId: T2, id: 'r1' };
      expect(await requests.get(T2, 'r1')).toBeUndefined();
      const { reference } = newRequest('r1');
      expect(await requests.getByReference(T1, reference)).toMatchObject({ id: 'r1' });
      expect(await requests.getByReference(T2, reference)).toBeUndefined();
      expect(await requests.listByAuthor(T2, 'U1', 10)).toEqual([]);
      expect(await idsOf(requests.waitingForKey(T2))).toEqual([]);
      expect(
        await requests.changeState(theirs, ['queued'], 'discarded', {}, at(1)),
      ).toBeUndefined();
      await requests.markAnnounced({ ...theirs, revision: 9 }, { channel: 'C1', ts: '1.1' });
      expect(await requests.get(T1, 'r1')).toMatchObject({
        state: 'queued',
        announcedRevision: 0,
        message: undefined,
      });
    });

    it('can’t take the ID of another workspace’s request', async () => {
      const requests = await openRequests();
      await requests.add(newRequest('r1'), at(0));
      const theirs = newRequest('r1', { workspaceId: T2, reference: 'DR-2' });
      expect(await requests.add(theirs, at(1))).toBeUndefined();
      expect(await requests.get(T2, 'r1')).toBeUndefined();
    });
  });

  describe('a state change', () => {
    it('by an outdated claim has no effect once another claim is sending', async () => {
      const requests = await openRequests();
      await requests.add(newRequest('r1'), at(0));
      const send = (sentBy: string) =>
        requests.changeState(newRequest('r1'), ['queued'], 'sending', { sentBy }, at(1));
      const doubt = (whileSentBy?: string) =>
        requests.changeState(
          { ...newRequest('r1'), whileSentBy },
          ['sending'],
          'in_doubt',
          {},
          at(2),
        );
      expect(await send('1/1')).toMatchObject({ state: 'sending', sentBy: '1/1' });
      await requests.changeState(newRequest('r1'), ['sending'], 'queued', {}, at(1));
      await send('1/2');
      expect(await doubt('1/1')).toBeUndefined();
      expect(await doubt('1/2')).toMatchObject({ state: 'in_doubt', sentBy: '1/2' });
    });

    it('under a claim has no effect once the job was claimed again', async () => {
      const { stores } = await openStores();
      const { requests, jobTable } = stores;
      await requests.add(newRequest('r1'), at(0));
      await jobTable.add({ kind: 'deliver', workspaceId: T1, payload: {} }, at(0));
      const first = await claimNext(jobTable, at(0));
      const begin = (job: ClaimedJob) => {
        const whileHeld = claimOf(job);
        const request = { ...newRequest('r1'), whileHeld };
        return requests.changeState(request, ['queued'], 'sending', { sentBy: whileHeld }, at(1));
      };
      await jobTable.postpone(first, at(0));
      expect(await begin(first)).toBeUndefined();
      const second = await claimNext(jobTable, at(0));
      expect(await begin(first)).toBeUndefined();
      expect(await begin(second)).toMatchObject({ state: 'sending', sentBy: claimOf(second) });
    });

    it('returns the request as it is then, and stores further changes with it', async () => {
      const requests = await openRequests();
      await requests.add(newRequest('r1'), at(0));
      const problem = { code: 'busy' as const, retryAt: at(60).getTime() };
      const form = { ...FORM, title: 'Autumn banner' };
      const moved = await requests.changeState(
        newRequest('r1'),
        ['queued', 'rejected'],
        'queued',
        { problem, form, viewId: 'V2', cardId: 'card-1' },
        at(1),
      );
      expect(moved).toMatchObject({ problem, form, viewId: 'V2', cardId: 'card-1', revision: 2 });
      expect(await requests.get(T1, 'r1')).toEqual(moved);
      // A problem that isn't named is over; every other field is kept.
      const over = await requests.changeState(newRequest('r1'), ['queued'], 'created', {}, at(2));
      expect(over).toEqual({
        ...moved,
        problem: undefined,
        state: 'created',
        revision: 3,
        updatedAt: at(2),
      });
    });
  });

  describe('lists of requests', () => {
    it('by an author start with the newest, up to a limit', async () => {
      const requests = await openRequests();
      await requests.add(newRequest('r1'), at(0));
      await requests.add(newRequest('r3'), at(2));
      await requests.add(newRequest('r2'), at(1));
      await requests.add(newRequest('r4', { userId: 'U2' }), at(3));
      const mine = await requests.listByAuthor(T1, 'U1', 2);
      expect(mine.map(({ id }) => id)).toEqual(['r3', 'r2']);
    });

    it('waiting for a key include the workspace’s requests, the oldest first', async () => {
      const requests = await openRequests();
      const ids = ['r2', 'r1', 'r3', 'r4'];
      for (const id of ids) {
        await requests.add(
          newRequest(id, id === 'r4' ? { workspaceId: T2 } : {}),
          at(Number(id[1])),
        );
      }
      for (const id of ['r1', 'r2']) {
        await requests.changeState(newRequest(id), ['queued'], 'waiting_for_key', {}, at(5));
      }
      expect(await idsOf(requests.waitingForKey(T1))).toEqual(['r1', 'r2']);
    });

    it('that a process left unfinished include each of very many once, of all workspaces, even if the reader changes them', async () => {
      const { requests, transact } = (await openStores()).stores;
      const ids = Array.from({ length: 1_200 }, (_, number) => `r${number}`);
      await transact(async (changes) => {
        // Some at the same time: their order doesn't matter, but none may be left out.
        for (const [number, id] of ids.entries()) {
          const workspaceId = number % 2 === 0 ? T1 : T2;
          await changes.requests.add(newRequest(id, { workspaceId }), at(Math.floor(number / 7)));
        }
      });
      const seen: string[] = [];
      for await (const request of requests.unfinished('queued')) {
        seen.push(request.id);
        if (seen.length % 100 === 0)
          await requests.changeState(request, ['queued'], 'queued', {}, at(999));
        if (seen.length % 100 === 1)
          await requests.changeState(request, ['queued'], 'sending', {}, at(999));
      }
      expect(seen.toSorted()).toEqual(ids.toSorted());
      expect(await idsOf(requests.unfinished('sending'))).toHaveLength(ids.length / 100);
    });
  });

  it('what an author was told is stored with the message that said so, and never goes back', async () => {
    const requests = await openRequests();
    const [first, later] = [
      { channel: 'C1', ts: '1.1' },
      { channel: 'C1', ts: '2.2' },
    ];
    for (const id of ['r1', 'r2']) await requests.add(newRequest(id), at(0));
    const change = (id: string, state: 'created' | 'sending') =>
      requests.changeState(newRequest(id), ['queued'], state, {}, at(1));
    const created = await change('r1', 'created');
    // Its outcome isn't known yet.
    await change('r2', 'sending');
    expect(await idsOf(requests.unannounced())).toEqual(['r1']);
    const announce = async (revision: number, message?: typeof first) => {
      await requests.markAnnounced({ ...newRequest('r1'), revision }, message);
      return requests.get(T1, 'r1');
    };
    expect(await announce(2, first)).toEqual({ ...created, announcedRevision: 2, message: first });
    expect(await idsOf(requests.unannounced())).toEqual([]);
    // A later state needed no message, and an earlier one comes late.
    const announced = { announcedRevision: 3, message: first };
    expect(await announce(3)).toMatchObject(announced);
    expect(await announce(2, later)).toMatchObject(announced);
  });
}

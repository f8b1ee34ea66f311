import { describe, expect, it } from 'vitest';
import type { AnswerCacheStore, AnswerKey } from '../../src/store/answer-cache.ts';
import { T1, T2 } from '../installations/ids.ts';
import { at, type OpenStores } from './stores-under-test.ts';

const KEY: AnswerKey = { workspaceId: T1, fingerprint: 'f1', id: 'card-1' };
const ANSWER = '{"value":"…"}';
/** In seconds. */
const LEASE = 15;

/** Asks at one time for an answer at least as new as that, or as `since`. */
const takeAt = (cache: AnswerCacheStore, seconds: number, since = seconds, key = KEY) =>
  cache.take(key, { since: at(since), now: at(seconds), leaseUntil: at(seconds + LEASE) });

async function leaseAt(cache: AnswerCacheStore, seconds: number, key = KEY): Promise<string> {
  const taken = await takeAt(cache, seconds, seconds, key);
  if (taken === 'being_read' || !('lease' in taken)) throw new Error('there is no lease to be had');
  return taken.lease;
}

async function keepAt(cache: AnswerCacheStore, seconds: number, key = KEY, answer = ANSWER) {
  await cache.put(key, await leaseAt(cache, seconds, key), { answer, readAt: at(seconds) });
}

export function describeAnswerCaches(openStores: OpenStores): void {
  describe.each(['cardCache', 'listCache'] as const)('a shared answer in %s', (name) => {
    const open = async () => {
      const { stores, openAgain } = await openStores();
      return { cache: stores[name], other: (await openAgain())[name] };
    };

    it('is read by one of those who ask at once, and then given to all', async () => {
      const { cache, other } = await open();
      const taken = await Promise.all([cache, other, cache, other].map((one) => takeAt(one, 0)));
      expect(taken.filter((one) => one === 'being_read')).toHaveLength(3);
      const lease = taken.flatMap((one) =>
        one !== 'being_read' && 'lease' in one ? [one.lease] : [],
      )[0];
      await cache.put(KEY, lease ?? '', { answer: ANSWER, readAt: at(1) });
      expect(await takeAt(other, 2, 0)).toEqual({ answer: ANSWER, readAt: at(1) });
    });

    it('is read again by one of those for whom it is too old', async () => {
      const { cache, other } = await open();
      await keepAt(cache, 0);
      expect(await takeAt(other, 60, 1)).toHaveProperty('lease');
      expect(await takeAt(cache, 60, 1)).toBe('being_read');
      expect(await takeAt(cache, 60, 0)).toEqual({ answer: ANSWER, readAt: at(0) });
    });

    it('is found however old it is, also while it is read again', async () => {
      const { cache, other } = await open();
      expect(await cache.peek(KEY, at(0))).toBeUndefined();
      await leaseAt(cache, 0, { ...KEY, id: 'card-2' });
      expect(await cache.peek({ ...KEY, id: 'card-2' }, at(0))).toBeUndefined();
      await keepAt(cache, 0);
      await leaseAt(cache, 100_000);
      expect(await other.peek(KEY, at(100_000))).toEqual({ answer: ANSWER, readAt: at(0) });
    });

    it('is not waited for if there are no other replicas', async () => {
      const { cache } = await open();
      const alone = () => cache.take(KEY, { since: at(0), now: at(0), leaseUntil: at(0) });
      expect(await alone()).toHaveProperty('lease');
      expect(await alone()).toHaveProperty('lease');
    });

    it('is neither shown as new nor waited for after the clock was set back', async () => {
      const { cache, other } = await open();
      await keepAt(cache, 0);
      await leaseAt(cache, 0, { ...KEY, id: 'card-2' });
      const hourAgo = -3_600;
      expect(await takeAt(other, hourAgo)).toHaveProperty('lease');
      const held = await takeAt(other, hourAgo, hourAgo, { ...KEY, id: 'card-2' });
      expect(held).toHaveProperty('lease');
      expect(await takeAt(cache, hourAgo)).toBe('being_read');
    });

    it('may be read by another replica if the read failed', async () => {
      const { cache, other } = await open();
      await cache.release(KEY, await leaseAt(cache, 0));
      expect(await takeAt(other, 1)).toHaveProperty('lease');
    });

    it('may be read by another replica if its reader is gone, whose late answer isn’t stored', async () => {
      const { cache, other } = await open();
      const lost = await leaseAt(cache, 0);
      expect(await takeAt(other, LEASE - 1)).toBe('being_read');
      const lease = await leaseAt(other, LEASE);
      await cache.put(KEY, lost, { answer: 'too late', readAt: at(0) });
      await cache.release(KEY, lost);
      expect(await takeAt(cache, LEASE, 0)).toBe('being_read');
      await other.put(KEY, lease, { answer: ANSWER, readAt: at(LEASE) });
      expect(await takeAt(cache, LEASE + 1, 0)).toEqual({ answer: ANSWER, readAt: at(LEASE) });
    });

    it('belongs to one workspace and one key', async () => {
      const { cache } = await open();
      await keepAt(cache, 0);
      for (const other of [{ workspaceId: T2 }, { fingerprint: 'f2' }, { id: 'card-2' }]) {
        expect(await takeAt(cache, 1, 0, { ...KEY, ...other })).toHaveProperty('lease');
      }
    });

    it('is deleted when it is dropped, including a read in progress', async () => {
      const { cache, other } = await open();
      await keepAt(cache, 0);
      await keepAt(cache, 0, { ...KEY, id: 'card-2' });
      await keepAt(cache, 0, { ...KEY, workspaceId: T2 });
      await cache.drop(KEY);
      const lease = await leaseAt(other, 1);
      await cache.dropAll(T1);
      await other.put(KEY, lease, { answer: ANSWER, readAt: at(1) });
      expect(await takeAt(cache, 2, 0)).toHaveProperty('lease');
      expect(await takeAt(cache, 2, 0, { ...KEY, id: 'card-2' })).toHaveProperty('lease');
      expect(await takeAt(cache, 2, 0, { ...KEY, workspaceId: T2 })).toHaveProperty('answer');
    });

    it('is deleted when it is old, but not while it is being read', async () => {
      const { cache } = await open();
      await keepAt(cache, 0);
      await keepAt(cache, 100, { ...KEY, id: 'card-2' });
      await leaseAt(cache, 100, { ...KEY, id: 'card-3' });
      expect(await cache.prune(at(50))).toBe(1);
      expect(await cache.prune(at(100 + LEASE + 1))).toBe(2);
    });
  });
}

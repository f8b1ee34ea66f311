import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type EntryKey, entryKind, onceKind } from '../../src/store/entries.ts';
import { prune } from '../../src/store/prune.ts';
import { T1, T2 } from '../installations/ids.ts';
import { at, type OpenStores, once } from './stores-under-test.ts';

const KEPT_MS = 60_000;
const note = entryKind('note', z.object({ text: z.string() }), KEPT_MS);
const noteOf = (name: string, owner = T1): EntryKey<{ text: string }> => ({
  kind: note,
  owner,
  name,
});
const asked: EntryKey<true> = { kind: onceKind('asked', KEPT_MS), owner: T1, name: 'U1' };

export function describeEntries(openStores: OpenStores): void {
  describe('an entry', () => {
    it('is what was put last, and when, for one owner, kind, and name', async () => {
      const { entries } = (await openStores()).stores;
      expect(await entries.get(noteOf('U1'))).toBeUndefined();
      await entries.put(noteOf('U1'), { text: 'One' }, at(0));
      await entries.put(noteOf('U1'), { text: 'Two' }, at(1));
      await entries.put(noteOf('U1', T2), { text: 'Theirs' }, at(2));
      const expected = { name: 'U1', value: { text: 'Two' }, changedAt: at(1) };
      expect(await entries.get(noteOf('U1'))).toEqual(expected);
      expect(await entries.get(noteOf('U2'))).toBeUndefined();
      expect(
        await entries.get({ ...noteOf('U1'), kind: { ...note, kind: 'other' } }),
      ).toBeUndefined();
    });

    it('is listed by how its name begins, the newest first', async () => {
      const { entries } = (await openStores()).stores;
      const names = [
        'U1/a',
        'U1/b',
        'U1/B',
        'U1/\u{10ffff}',
        'U11/a',
        'U1',
        'u1/a',
        'U0/z',
        'C1/a',
      ];
      for (const [second, name] of names.entries())
        await entries.put(noteOf(name), { text: '' }, at(second));
      await entries.put(noteOf('U1/a', T2), { text: '' }, at(99));
      const listed = async (...beginnings: string[]) =>
        (await entries.list({ kind: note, owner: T1 }, beginnings)).map(({ name }) => name);
      expect(await listed('U1/')).toEqual(['U1/\u{10ffff}', 'U1/B', 'U1/b', 'U1/a']);
      expect(await listed('C1/', 'u1/')).toEqual(['C1/a', 'u1/a']);
      expect(await listed('U2/')).toEqual([]);
    });

    it('is removed alone, or with all of its kind', async () => {
      const { entries } = (await openStores()).stores;
      for (const name of ['a', 'b', 'c']) await entries.put(noteOf(name), { text: name }, at(0));
      await entries.put(noteOf('a', T2), { text: 'Theirs' }, at(0));
      await entries.takeOnce(asked, at(0));
      await entries.remove(noteOf('b'));
      expect(await entries.list({ kind: note, owner: T1 }, ['a', 'b', 'c'])).toHaveLength(2);
      await entries.remove({ kind: note, owner: T1 });
      expect(await entries.list({ kind: note, owner: T1 }, ['a', 'b', 'c'])).toEqual([]);
      expect(await entries.get(noteOf('a', T2))).toBeDefined();
      expect(await entries.get(asked)).toBeDefined();
    });

    it('is deleted when it has expired, unless it was put again, or its kind is kept for good', async () => {
      const { stores, db } = await openStores();
      const { entries } = stores;
      await entries.put(noteOf('old'), { text: '' }, at(0));
      await entries.put(noteOf('renewed'), { text: '' }, at(0));
      await entries.put(noteOf('renewed'), { text: '' }, at(1));
      await entries.takeOnce(once(T1, 'U1'), at(0));
      expect(await prune(db, at(59))).toMatchObject({ entries: 0 });
      expect(await prune(db, at(60))).toMatchObject({ entries: 1 });
      expect(await prune(db, at(61))).toMatchObject({ entries: 1 });
      expect(await entries.get(once(T1, 'U1'))).toBeDefined();
    });
  });

  it('are written although one that arrives with them can’t be', async () => {
    const { stores } = await openStores();
    const circular: { text: string; self?: unknown } = { text: 'a' };
    circular.self = circular;
    const nobody = { kind: note, owner: null as unknown as typeof T1, name: 'a' };
    const written = await Promise.allSettled([
      stores.entries.put(noteOf('a'), { text: 'a' }, at(0)),
      stores.entries.put(noteOf('b'), circular, at(0)),
      stores.entries.put(nobody, { text: 'a' }, at(0)),
      stores.entries.put(noteOf('c'), { text: 'c' }, at(0)),
    ]);
    expect(written.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    const listed = await stores.entries.list({ kind: note, owner: T1 }, ['']);
    expect(listed.map(({ name }) => name).toSorted()).toEqual(['a', 'c']);
  });

  describe('what happens once', () => {
    it('is taken by one of all processes, until it has expired or was removed', async () => {
      const { stores, openAgain } = await openStores();
      const other = await openAgain();
      const take = ({ entries }: typeof stores, seconds: number) =>
        entries.takeOnce(asked, at(seconds));
      const first = await Promise.all([take(stores, 0), take(stores, 0), take(other, 0)]);
      expect(first.filter(Boolean)).toHaveLength(1);
      expect(await take(stores, 59)).toBe(false);
      expect(await take(stores, 60)).toBe(true);
      expect(await take(other, 90)).toBe(false);
      await stores.entries.remove(asked);
      expect(await take(other, 90)).toBe(true);
    });

    it('isn’t taken if what belongs to it isn’t committed', async () => {
      const { stores } = await openStores();
      const failing = stores.transact(async ({ entries, jobs }) => {
        await entries.takeOnce(once(T1, 'U1'), at(0));
        await jobs.add({ kind: 'test', workspaceId: T1, payload: {} }, at(0));
        throw new Error('no room');
      });
      await expect(failing).rejects.toThrow('no room');
      expect(await stores.jobTable.claim(at(1), 1)).toEqual([]);
      expect(await stores.entries.takeOnce(once(T1, 'U1'), at(1))).toBe(true);
      const inTransaction = stores.transact(({ entries }) =>
        entries.takeOnce(once(T1, 'U1'), at(1)),
      );
      expect(await inTransaction).toBe(false);
    });
  });
}

import { describe, expect, it } from 'vitest';
import { type CardReader, createCardReader } from '../../../src/service/cache/card-reader.ts';
import { createReferenceLists } from '../../../src/service/cache/reference-lists.ts';
import { fingerprintOf } from '../../../src/store/api-keys.ts';
import { createStores } from '../../../src/store/stores.ts';
import { connectedWorkspaces } from '../../installations/connected-workspaces.ts';
import { T1 } from '../../installations/ids.ts';
import { openForTest } from '../../store/sqlite-files.ts';
import { at, encryptionKey, logTo } from '../../store/stores-under-test.ts';

const REPLICAS = 4;
const CARDS = 50;
const LINKS = 500;
/** As many jobs of a workspace run. */
const SHOWN_AT_ONCE = 8;
/** Longer than it takes to find old lists, and shorter than the app waits. */
const STALL_MS = 1_000;

/** Four replicas on one database, each with its own memory and connection. */
async function setUp() {
  const workspaces = await connectedWorkspaces();
  const { clock, design, openService, path } = workspaces;
  const now = () => clock.now;
  const logged: string[] = [];
  const log = logTo(logged);
  const metrics = { cache: () => undefined };
  const openReplica = () => {
    const { entries } = createStores(openForTest(path), [encryptionKey('k1')]);
    const deps = { service: openService(), now, metrics, log, entries };
    return {
      reader: createCardReader({ ...deps, timezone: 'UTC' }),
      referenceLists: createReferenceLists(deps),
    };
  };
  const storedAs = (...kinds: string[]) =>
    workspaces.db.selectFrom('entries').select('name').where('kind', 'in', kinds).execute();
  const opened = Array.from({ length: REPLICAS }, () => openReplica());
  const replicas = opened.map(({ reader }) => reader);
  const listsOfReplicas = opened.map(({ referenceLists }) => referenceLists);
  const [first, second] = replicas;
  if (!first || !second) throw new Error('there are no replicas');
  const { id } = design.cards.add({ title: 'Spring banner' });
  const titleFrom = async (reader: CardReader, since = at(0), cardId = id) => {
    const reading = await reader.read(T1, cardId, { class: 'posted', since });
    return 'card' in reading ? reading.card.title : reading.unreadable;
  };
  return {
    ...workspaces,
    openReplica,
    replicas,
    listsOfReplicas,
    storedAs,
    first,
    second,
    id,
    titleFrom,
    logged,
    reads: () => design.calls({ operation: 'getCard' }).length,
  };
}

describe('replicas that share cards', () => {
  it.each([
    { count: 1, most: CARDS },
    { count: REPLICAS, most: CARDS * 1.2 },
  ])('$count make at most $most calls for 500 links to 50 cards', async ({ count, most }) => {
    const { design, replicas, titleFrom, reads } = await setUp();
    const cards = Array.from({ length: CARDS }, (_, index) => ({
      title: `Card ${index}`,
      id: design.cards.add({ title: `Card ${index}` }).id,
    }));
    const links = Array.from({ length: LINKS }, (_, index) => cards[(index * 7) % CARDS]);
    const readers = replicas.slice(0, count);
    const waiting = links.entries();
    const showSome = async () => {
      for (const [index, link] of waiting) {
        const reader = readers[(index * 3) % count] ?? readers[0];
        if (!link || !reader) throw new Error('there is no link or reader');
        expect(await titleFrom(reader, at(0), link.id)).toBe(link.title);
      }
    };
    await Promise.all(Array.from({ length: SHOWN_AT_ONCE }, showSome));
    expect(reads()).toBeLessThanOrEqual(most);
    expect(reads()).toBeGreaterThanOrEqual(CARDS);
  });

  it('drop what was read before a card was created, unless they have seen it', async () => {
    const { design, first, second, titleFrom } = await setUp();
    expect(await titleFrom(first, at(0), 'card-new')).toBe('not_found');
    design.cards.add({ id: 'card-new', title: 'Just made' });
    await first.forgetCard({
      workspaceId: T1,
      fingerprint: fingerprintOf(design.apiKey),
      id: 'card-new',
    });
    for (const reader of [first, second])
      expect(await titleFrom(reader, at(0), 'card-new')).toBe('Just made');
  });

  it('keep nothing of a workspace that is deleted or whose key is rejected', async () => {
    const { design, first, second, storedAs, titleFrom } = await setUp();
    const rows = () => storedAs('cards');
    await titleFrom(first);
    expect(await rows()).toHaveLength(1);
    first.forget(T1);
    await expect.poll(rows).toEqual([]);
    await titleFrom(first);
    design.faults.add({ kind: 'unauthorized', times: 1 });
    await expect(titleFrom(second, at(1))).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await rows()).toEqual([]);
  });

  it('each read for themselves if the database can’t be used', async () => {
    const { first, second, titleFrom, reads, logged, db } = await setUp();
    await db.schema.dropTable('entries').execute();
    expect([await titleFrom(first), await titleFrom(second)]).toEqual([
      'Spring banner',
      'Spring banner',
    ]);
    expect(reads()).toBe(2);
    expect(logged.join('')).toContain('could not look up or store an answer');
  });
});

describe('replicas that share reference lists', () => {
  it('show old lists at once, and then new ones', async () => {
    const { listsOfReplicas, design, clock } = await setUp();
    const before = await listsOfReplicas[0]?.formOptions(T1);
    const brand = design.referenceLists.brands[0];
    design.referenceLists.brands = [{ id: 'new', name: 'New' }];
    clock.now = at(3_600);
    // Otherwise the slowest replica may find the new lists there.
    design.faults.add({ kind: 'stall', ms: STALL_MS, times: 2 * REPLICAS });
    const opened = await Promise.all(listsOfReplicas.map((one) => one.cachedFormOptions(T1)));
    expect(opened).toEqual(listsOfReplicas.map(() => before));
    for (const one of listsOfReplicas) {
      const names = async () => (await one.formOptions(T1)).brands?.map(({ name }) => name);
      await expect.poll(names).toEqual(['New']);
    }
    expect(brand?.name).not.toBe('New');
  });

  it('keep one of each kind, which only its own key and a form without a key show', async () => {
    const { listsOfReplicas, openReplica, storedAs, connect, stores, clock } = await setUp();
    const rows = () => storedAs('request_types', 'brands');
    const read = await listsOfReplicas[0]?.formOptions(T1);
    await connect(T1);
    listsOfReplicas[0]?.forget(T1);
    const opened = () => openReplica().referenceLists.cachedFormOptions(T1);
    expect(await opened()).toBeUndefined();
    await stores.keys.disconnect(T1, clock.now);
    expect(await opened()).toEqual({ ...read, withoutKey: 'no_key' });
    await connect(T1);
    await openReplica().referenceLists.formOptions(T1);
    expect(await rows()).toHaveLength(2);
  });
});

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createLog } from '../../../src/ops/logging.ts';
import type { CallClass } from '../../../src/service/budget/call-class.ts';
import {
  type CacheKey,
  createReadCache,
  type Demand,
  type ReadableCacheKey,
  storedAnswer,
} from '../../../src/service/cache/read-cache.ts';
import type { DesignApi } from '../../../src/service/client.ts';
import { DesignApiError } from '../../../src/service/errors.ts';
import { createEntries, type Entries, entryKind } from '../../../src/store/entries.ts';
import { T1, T2, T3, T4, T5 } from '../../installations/ids.ts';
import { temporaryDatabase } from '../../store/sqlite-files.ts';
import { at } from '../../store/stores-under-test.ts';
import { clientOf } from '../test-client.ts';

const key = (id: string, workspaceId = T1) => ({ workspaceId, fingerprint: 'f1', id });
const FOR_A_PERSON: Demand = { class: 'person', since: at(0) };
const FOR_NOBODY: Demand = { class: 'background', since: at(0) };
const KILOBYTE = 1_024;

const limited = () =>
  new DesignApiError({ code: 'rate_limited', operation: 'test', message: 'no budget' });

type Call = (asked: { key: CacheKey; class: CallClass }) => Promise<unknown>;

/** A cache over the test's own calls, in memory unless it has a database, and what they were asked for. */
function cacheOver(
  call: Call,
  {
    maxCharacters = KILOBYTE * KILOBYTE,
    entries,
    keyConnectedAt = at(0),
  }: { maxCharacters?: number; entries?: Entries; keyConnectedAt?: Date } = {},
) {
  const asked: string[] = [];
  const cache = createReadCache<string>({
    kind: entryKind('test', storedAnswer, 60_000),
    resource: (id) => ({
      operation: 'test',
      path: [id],
      parse: (body) => (typeof body === 'string' ? body : undefined),
    }),
    keepMs: 60_000,
    maxCharacters,
    entries,
    now: () => at(1),
    metrics: { cache: () => undefined },
    log: createLog({ level: 'silent' }),
  });
  /** With a session that calls the test. */
  const readable = (key: CacheKey): ReadableCacheKey => {
    const read: DesignApi['read'] = async (resource, { callClass = 'person' } = {}) => {
      asked.push(`${key.id} for ${callClass}`);
      const value = resource.parse(await call({ key, class: callClass }));
      if (value === undefined) throw new Error('unreadable');
      return value;
    };
    const api = { ...clientOf('http://unused.example'), read };
    return { ...key, keyConnectedAt, ready: async () => undefined, call: (use) => use(api) };
  };
  return {
    cache: {
      ...cache,
      read: (key: CacheKey, demand: Demand) => cache.read(readable(key), demand),
      load: (key: CacheKey) => cache.load(readable(key)),
    },
    asked,
  };
}

describe('a cache’s memory', () => {
  const large: Call = async () => 'x'.repeat(10 * KILOBYTE);

  /** Which of them are in memory, after each was read. */
  async function keptOf(cache: ReturnType<typeof cacheOver>['cache'], keys: CacheKey[]) {
    for (const one of keys) await cache.read(one, FOR_A_PERSON);
    return new Set(keys.filter((one) => cache.peek(one)).map(({ id }) => id));
  }

  it('holds as much text as allowed, however few the entries, and drops the least recently used first', async () => {
    const { cache, asked } = cacheOver(large, { maxCharacters: 45 * KILOBYTE });
    const keys = [T1, T2, T3, T1, T4, T5].map((workspaceId) => key(workspaceId, workspaceId));
    expect(await keptOf(cache, keys)).toEqual(new Set(['T1', 'T3', 'T4', 'T5']));
    expect(asked).toHaveLength(5);
  });

  it('keeps what others have read while one workspace reads a lot', async () => {
    const { cache } = cacheOver(large, { maxCharacters: 4 * 35 * KILOBYTE });
    const ofOthers = [T2, T3].map((workspaceId) => key('other', workspaceId));
    await keptOf(cache, ofOthers);
    const ofOne = ['1', '2', '3', '1', '4', '5', '6'].map((id) => key(id));
    for (let times = 0; times < 5; times += 1) {
      expect(await keptOf(cache, ofOne)).toEqual(new Set(['4', '5', '6']));
    }
    expect(ofOthers.filter((one) => cache.peek(one))).toEqual(ofOthers);
  });
});

describe('a shared read', () => {
  it('is repeated for a person if it was refused for a less urgent caller', async () => {
    const behind = Promise.withResolvers<void>();
    const { cache, asked } = cacheOver(async (asking) => {
      if (asking.class === 'person') return 'read';
      await behind.promise;
      throw limited();
    });
    const nobody = cache.read(key('1'), FOR_NOBODY);
    const person = cache.read(key('1'), FOR_A_PERSON);
    behind.resolve();
    await expect(nobody).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await person).toMatchObject({ value: 'read' });
    expect(asked).toEqual(['1 for background', '1 for person']);
  });

  it.each([
    [
      'is repeated for whoever accepts earlier failures, if it failed for a less urgent caller',
      'posted',
      2,
    ],
    ['isn’t repeated by the same caller, who accepts earlier failures', 'background', 1],
  ] as const)('%s', async (_what, callClass, calls) => {
    const { cache, asked } = cacheOver(() => Promise.reject(limited()));
    await expect(cache.read(key('1'), FOR_NOBODY)).rejects.toMatchObject({ code: 'rate_limited' });
    const again = { class: callClass, since: at(0), failedSince: at(0) };
    await expect(cache.read(key('1'), again)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(asked).toHaveLength(calls);
  });

  it('is not enough for whoever needs a newer answer', async () => {
    const { db } = await temporaryDatabase();
    const entries = createEntries(db);
    const [first, second] = ['old', 'new'].map((value) =>
      cacheOver(async () => value, { entries }),
    );
    if (!first || !second) throw new Error('there are no caches');
    await first.cache.read(key('1'), FOR_A_PERSON);
    // The first finds what the other cache has stored.
    const [shared, newer] = await Promise.all([
      second.cache.read(key('1'), FOR_A_PERSON),
      second.cache.read(key('1'), { ...FOR_A_PERSON, since: at(2) }),
    ]);
    expect([shared, newer]).toMatchObject([{ value: 'old' }, { value: 'new' }]);
    expect(second.asked).toEqual(['1 for person']);
  });

  it('is not repeated in a loop if everyone is limited', async () => {
    const both = Promise.withResolvers<void>();
    const { cache, asked } = cacheOver(async () => {
      await both.promise;
      throw limited();
    });
    const first = cache.read(key('1'), FOR_A_PERSON);
    const second = cache.read(key('1'), FOR_A_PERSON);
    both.resolve();
    await expect(first).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(second).rejects.toMatchObject({ code: 'rate_limited' });
    expect(asked).toHaveLength(2);
  });
});

it('keeps nothing of a workspace that is dropped, even with two reads in progress', async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let reads = 0;
  const { cache } = cacheOver(async () => {
    const gate = gates[reads];
    reads += 1;
    await gate?.promise;
    return `reading ${reads}`;
  });
  const first = cache.read(key('1'), FOR_A_PERSON);
  cache.forget(T1);
  const second = cache.read(key('1'), FOR_A_PERSON);
  gates[0]?.resolve();
  await first;
  cache.forget(T1);
  gates[1]?.resolve();
  await second;
  expect(cache.peek(key('1'))).toBeUndefined();
});

describe('what is invalidated', () => {
  /** A cache on a database, of which one answer is stored, and one kind of statement that waits. */
  async function setUp(slow: 'get' | 'put' | 'remove') {
    const { db } = await temporaryDatabase();
    const entries = createEntries(db);
    const started = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const put: Entries['put'] = async (...values) => {
      started.resolve();
      await (slow === 'put' && go.promise);
      return entries.put(...values);
    };
    const remove: Entries['remove'] = async (of) => {
      await (slow === 'remove' && go.promise);
      return entries.remove(of);
    };
    const get: Entries['get'] = async (of) => {
      const found = await entries.get(of);
      await (slow === 'get' && go.promise);
      return found;
    };
    const slowly = { ...entries, get, put, remove };
    const value = async () => 'before';
    await cacheOver(value, { entries }).cache.read(key('1'), FOR_A_PERSON);
    const rows = () => db.selectFrom('entries').select('name').execute();
    const over = (call: Call, keyConnectedAt = at(0)) =>
      cacheOver(call, { entries: slowly, keyConnectedAt }).cache;
    return { over, rows, started: started.promise, go };
  }

  it('is not found in the database again by a key that was connected since', async () => {
    const { over, go } = await setUp('remove');
    const cache = over(async () => 'after', at(2));
    void cache.forget(T1);
    expect(await cache.read(key('1'), FOR_A_PERSON)).toMatchObject({ value: 'after' });
    go.resolve();
  });

  it('is not kept if it was being looked up', async () => {
    const { over, go } = await setUp('get');
    const cache = over(async () => 'after');
    const loading = cache.load(key('1'));
    await cache.drop(key('1'));
    go.resolve();
    await loading;
    expect(cache.peek(key('1'))).toBeUndefined();
  });

  it('is deleted from the database if it was being stored', async () => {
    const { over, rows, started, go } = await setUp('put');
    const cache = over(async () => 'after');
    const reading = cache.read(key('1'), { ...FOR_A_PERSON, since: at(2) });
    await started;
    await cache.forget(T1);
    expect(await rows()).toEqual([]);
    go.resolve();
    await reading;
    expect(await rows()).toEqual([]);
  });
});

it.each(['', { fingerprint: 'f1', body: 7 }, { refused: 'other' }])(
  'what another version has stored is ignored: %j',
  async (value) => {
    const { db } = await temporaryDatabase();
    const entries = createEntries(db);
    const kind = entryKind('test', z.unknown(), 60_000);
    await entries.put({ kind, owner: T1, name: '1' }, value, at(1));
    const { cache } = cacheOver(async () => 'read', { entries });
    expect(await cache.read(key('1'), FOR_A_PERSON)).toMatchObject({ value: 'read' });
  },
);

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createLog } from '../../../src/ops/logging.ts';
import {
  answerKind,
  type CacheKey,
  createReadCache,
  type Demand,
} from '../../../src/service/cache/read-cache.ts';
import { DesignApiError } from '../../../src/service/errors.ts';
import { createEntries, type Entries } from '../../../src/store/entries.ts';
import { T1, T2, T3, T4, T5 } from '../../installations/ids.ts';
import { temporaryDatabase } from '../../store/sqlite-files.ts';
import { at } from '../../store/stores-under-test.ts';

const key = (id: string, workspaceId = T1) => ({ workspaceId, fingerprint: 'f1', id });
const FOR_A_PERSON: Demand = { class: 'person', since: at(0) };
const FOR_NOBODY: Demand = { class: 'background', since: at(0) };
const KILOBYTE = 1_024;

const limited = () =>
  new DesignApiError({ code: 'rate_limited', operation: 'test', message: 'no budget' });

type Call = (asked: { key: CacheKey; class: Demand['class'] }) => Promise<string>;

/** A cache over the test's own calls, in memory unless it has a database, and what they were asked for. */
function cacheOver(call: Call, maxCharacters = KILOBYTE * KILOBYTE, entries?: Entries) {
  const asked: string[] = [];
  const cache = createReadCache<string, CacheKey>({
    kind: answerKind('test', z.string(), 60_000),
    entries,
    call(key, callClass) {
      asked.push(`${key.id} for ${callClass}`);
      return call({ key, class: callClass });
    },
    refusals: [],
    maxCharacters,
    now: () => at(1),
    count: () => undefined,
    log: createLog({ level: 'silent' }),
  });
  return { cache, asked };
}

describe('a cache’s memory', () => {
  const large: Call = async () => 'x'.repeat(10 * KILOBYTE);

  /** Which of them are in memory, after each was read. */
  async function keptOf(cache: ReturnType<typeof cacheOver>['cache'], keys: CacheKey[]) {
    for (const one of keys) await cache.read(one, FOR_A_PERSON);
    return new Set(keys.filter((one) => cache.peek(one)).map(({ id }) => id));
  }

  it('holds as much text as allowed, however few the entries, and drops the least recently used first', async () => {
    const { cache, asked } = cacheOver(large, 45 * KILOBYTE);
    const keys = [T1, T2, T3, T1, T4, T5].map((workspaceId) => key(workspaceId, workspaceId));
    expect(await keptOf(cache, keys)).toEqual(new Set(['T1', 'T3', 'T4', 'T5']));
    expect(asked).toHaveLength(5);
  });

  it('keeps what others have read while one workspace reads a lot', async () => {
    const { cache } = cacheOver(large, 4 * 35 * KILOBYTE);
    const ofOthers = [T2, T3].map((workspaceId) => key('other', workspaceId));
    await keptOf(cache, ofOthers);
    const ofOne = ['1', '2', '3', '1', '4', '5', '6'].map((id) => key(id));
    for (let times = 0; times < 5; times += 1) {
      expect(await keptOf(cache, ofOne)).toEqual(new Set(['4', '5', '6']));
    }
    expect(ofOthers.filter((one) => cache.peek(one))).toEqual(ofOthers);
  });

  it('returns what is too large to be kept, and keeps the rest', async () => {
    const { cache, asked } = cacheOver(
      async (asking) => (asking.key.id === 'huge' ? 'x'.repeat(50 * KILOBYTE) : 'small'),
      4 * 35 * KILOBYTE,
    );
    await cache.read(key('small', T2), FOR_A_PERSON);
    expect(await cache.read(key('huge'), FOR_A_PERSON)).toMatchObject({ readAt: at(1) });
    await cache.read(key('small', T2), FOR_A_PERSON);
    expect(asked).toEqual(['small for person', 'huge for person']);
  });

  it('answers everyone who waits, even if it fills up meanwhile', async () => {
    const first = Promise.withResolvers<void>();
    const { cache } = cacheOver(async (asking) => {
      if (asking.key.id === 'slow') await first.promise;
      return large(asking);
    }, 35 * KILOBYTE);
    const slow = cache.read(key('slow'), FOR_A_PERSON);
    for (const id of ['1', '2', '3', '4', '5']) await cache.read(key(id), FOR_A_PERSON);
    first.resolve();
    expect(await slow).toMatchObject({ value: expect.stringMatching(/^x+$/) });
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
    await cacheOver(value, undefined, entries).cache.read(key('1'), FOR_A_PERSON);
    const rows = () => db.selectFrom('entries').select('name').execute();
    const over = (call: Call) => cacheOver(call, undefined, slowly).cache;
    return { over, rows, started: started.promise, go };
  }

  it('is not found in the database again while it is deleted there', async () => {
    const { over, go } = await setUp('remove');
    const cache = over(async () => 'after');
    void cache.forget(T1);
    const reading = cache.read(key('1'), FOR_A_PERSON);
    go.resolve();
    expect(await reading).toMatchObject({ value: 'after' });
  });

  it('is not kept if it was being looked up', async () => {
    const { over, go } = await setUp('get');
    const cache = over(async () => 'after');
    const loading = cache.load(key('1'));
    const dropping = cache.drop(key('1'));
    go.resolve();
    await Promise.all([loading, dropping]);
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

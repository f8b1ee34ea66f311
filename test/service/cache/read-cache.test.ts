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
import { T1 } from '../../installations/ids.ts';
import { at } from '../../store/stores-under-test.ts';

const key = (id: string) => ({ workspaceId: T1, fingerprint: 'f1', id });
const FOR_A_PERSON: Demand = { class: 'person', since: at(0) };
const FOR_NOBODY: Demand = { class: 'background', since: at(0) };
const KILOBYTE = 1_024;

const limited = () =>
  new DesignApiError({ code: 'rate_limited', operation: 'test', message: 'no budget' });

type Call = (asked: { key: CacheKey; class: Demand['class'] }) => Promise<string>;

/** A cache in memory over the test's own calls, and what they were asked for. */
function cacheOver(call: Call, maxCharacters = KILOBYTE * KILOBYTE) {
  const asked: string[] = [];
  const cache = createReadCache<string, CacheKey>({
    kind: answerKind('test', z.string(), 60_000),
    entries: undefined,
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

  it('holds as much text as allowed, however few the entries', async () => {
    const { cache, asked } = cacheOver(large, 35 * KILOBYTE);
    for (const id of ['1', '2', '3', '4']) await cache.read(key(id), FOR_A_PERSON);
    const kept = ['1', '2', '3', '4'].filter((id) => cache.peek(key(id)));
    expect(kept).toEqual(['2', '3', '4']);
    expect(asked).toHaveLength(4);
  });

  it('drops the least recently used entries first', async () => {
    const { cache } = cacheOver(large, 35 * KILOBYTE);
    for (const id of ['1', '2', '3', '1', '4']) await cache.read(key(id), FOR_A_PERSON);
    const kept = ['1', '2', '3', '4'].filter((id) => cache.peek(key(id)));
    expect(kept).toEqual(['1', '3', '4']);
  });

  it('returns what is too large to be kept, and keeps the rest', async () => {
    const { cache, asked } = cacheOver(
      async (asking) => (asking.key.id === 'huge' ? 'x'.repeat(50 * KILOBYTE) : 'small'),
      35 * KILOBYTE,
    );
    await cache.read(key('small'), FOR_A_PERSON);
    expect(await cache.read(key('huge'), FOR_A_PERSON)).toMatchObject({ readAt: at(1) });
    await cache.read(key('small'), FOR_A_PERSON);
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

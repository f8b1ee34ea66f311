import { describe, expect, it } from 'vitest';
import type { CacheKey, Source } from '../../../src/service/cache/cached-value.ts';
import { createReadCache, type Demand } from '../../../src/service/cache/read-cache.ts';
import { DesignApiError } from '../../../src/service/errors.ts';
import { T1 } from '../../installations/ids.ts';
import { at } from '../../store/stores-under-test.ts';

const key = (id: string) => ({ workspaceId: T1, fingerprint: 'f1', id });
const FOR_A_PERSON: Demand = { class: 'person', since: at(0) };
const FOR_NOBODY: Demand = { class: 'background', since: at(0) };
const KILOBYTE = 1_024;

const limited = () =>
  new DesignApiError({ code: 'rate_limited', operation: 'test', message: 'no budget' });

/** A cache over the test's own source, and what the source was asked for. */
function cacheOver(source: Source<string, CacheKey>, maxCharacters = KILOBYTE * KILOBYTE) {
  const asked: string[] = [];
  const cache = createReadCache<string, CacheKey>({
    source(asking) {
      asked.push(`${asking.key.id} for ${asking.class}`);
      return source(asking);
    },
    maxCharacters,
    now: () => at(1),
    count: () => undefined,
  });
  return { cache, asked };
}

describe('a cache’s memory', () => {
  const large: Source<string, CacheKey> = async () => ({
    value: 'x'.repeat(10 * KILOBYTE),
    readAt: at(1),
  });

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
      async (asking) =>
        asking.key.id === 'huge'
          ? { value: 'x'.repeat(50 * KILOBYTE), readAt: at(1) }
          : { value: 'small', readAt: at(1) },
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
      if (asking.class === 'person') return { value: 'read', readAt: at(1) };
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
    return { value: `reading ${reads}`, readAt: at(1) };
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

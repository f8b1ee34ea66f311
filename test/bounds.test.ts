import { LRUCache } from 'lru-cache';
import { expect, it } from 'vitest';
import { atMost } from '../src/clock.ts';

it('a cache keeps only the entries that were used last', () => {
  const cache = new LRUCache<string, string>(atMost(2));
  cache.set('a', 'A').set('b', 'B');
  cache.get('a');
  cache.set('c', 'C');
  expect([...cache.keys()].sort()).toEqual(['a', 'c']);
});

import { LRUCache } from 'lru-cache';
import { upTo } from '../bounded.ts';

/** A client of Slack's takes 26 KiB; a workspace beyond these gets another one. */
const KEPT_POOLS = 300;
/** A pool gathers a client for every token that its workspace ever had, so it is begun anew; in ms. */
const KEPT_MS = 6 * 60 * 60_000;

/**
 * In place of the record in which Bolt keeps its clients by workspace: that one grows with every workspace
 * and every renewed token, and never shrinks (Bolt 5.1.0, `App.clients`).
 */
export function createClientPools(): Record<string, object> {
  const pools = new LRUCache<string, object>({ ...upTo(KEPT_POOLS), ttl: KEPT_MS });
  return new Proxy<Record<string, object>>(
    {},
    {
      get: (_target, id) => (typeof id === 'string' ? pools.get(id) : undefined),
      set(_target, id, pool: object) {
        if (typeof id === 'string') pools.set(id, pool);
        return true;
      },
    },
  );
}

import { createHash, randomBytes } from 'node:crypto';
import type { Operation } from './api-call.ts';

/** The account that owns the demo cards and the first key. */
export const DEFAULT_ACCOUNT = 'account-1';

/** What a key may not access; an absent field matches everything. */
type Prohibition = { cardId?: string; operation?: Operation };

export type ApiKey = { account: string; requestsPerMinute: number; prohibitions: Prohibition[] };

const KEY_RANDOM_BYTES = 24;

const randomKey = () => `dsk_${randomBytes(KEY_RANDOM_BYTES).toString('base64url')}`;

/** An identifier for a key that may be logged: the first 16 hexadecimal digits of its SHA-256. */
export function fingerprintOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16);
}

/** Keeps the valid keys. Changing an invalid one throws. */
export function createApiKeys(defaultRequestsPerMinute: number) {
  const keys = new Map<string, ApiKey>();
  const issued: string[] = [];

  function working(key: string): ApiKey {
    const found = keys.get(key);
    if (!found) throw new Error('The design service has issued no such key, or has revoked it.');
    return found;
  }

  function keep(entry: ApiKey, key = randomKey()): string {
    keys.set(key, entry);
    issued.push(key);
    return key;
  }

  return {
    issued,
    issue(options: { account?: string; requestsPerMinute?: number; key?: string } = {}) {
      const { account = DEFAULT_ACCOUNT, requestsPerMinute = defaultRequestsPerMinute } = options;
      return keep({ account, requestsPerMinute, prohibitions: [] }, options.key);
    },
    revoke(key: string) {
      working(key);
      keys.delete(key);
    },
    /** The new key has the old one's account, limit, and prohibitions; the old one stops working. */
    regenerate(key: string) {
      const entry = working(key);
      keys.delete(key);
      return keep(entry);
    },
    /** 403 for calls that match every given field. */
    forbid(key: string, what: Prohibition) {
      working(key).prohibitions.push(what);
    },
    /** Changes how many calls per minute the key may make, even in the current window. */
    limit(key: string, requestsPerMinute: number) {
      working(key).requestsPerMinute = requestsPerMinute;
    },
    find: (key: string) => keys.get(key),
  };
}

export function isForbidden(key: ApiKey, operation: Operation, cardId: string | undefined) {
  return key.prohibitions.some(
    (what) =>
      (what.operation === undefined || what.operation === operation) &&
      (what.cardId === undefined || what.cardId === cardId),
  );
}

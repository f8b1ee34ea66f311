import { DEFAULT_PROJECT } from '../../../stand-ins/design-service/cards.ts';
import type { DesignService } from '../../../stand-ins/design-service/server.ts';

/** The API keys in the service's dashboard, one per customer. */
export type Keys = ReturnType<typeof createKeys>;
export type KeyShown = ReturnType<Keys['list']>[number];

type Entry = { owner: string; account: string; key: string | undefined; issued: string[] };

/** @param customers names of companies, each with an account at the service */
export function createKeys(
  service: DesignService,
  customers: readonly { owner: string; account: string; key?: string }[],
) {
  const entries = customers.map(
    ({ owner, account, key = service.issueKey({ account }) }): Entry => ({
      owner,
      account,
      key,
      issued: [key],
    }),
  );

  function entryOf(owner: string) {
    const entry = entries.find((one) => one.owner === owner);
    if (!entry) throw new Error(`${owner} has no key.`);
    return entry;
  }

  return {
    revoke(owner: string) {
      const entry = entryOf(owner);
      if (entry.key) service.revokeKey(entry.key);
      entry.key = undefined;
    },
    renew(owner: string) {
      const entry = entryOf(owner);
      entry.key = entry.key
        ? service.regenerateKey(entry.key)
        : service.issueKey({ account: entry.account });
      entry.issued.push(entry.key);
    },
    limit(owner: string, perMinute: number) {
      const { key } = entryOf(owner);
      if (key) service.limitKey(key, perMinute);
    },
    list: () =>
      entries.map(({ owner, account, key }) => ({
        owner,
        account,
        key,
        projectId: DEFAULT_PROJECT,
        budget: key === undefined ? undefined : service.budgetOf(key),
      })),
    /** The owner of a key, by its last four characters; also for replaced keys. */
    ownerOf: (ending: string) =>
      entries.find(({ issued }) => issued.some((key) => key.endsWith(ending)))?.owner ??
      'someone else',
  };
}

import { newBudget } from '../../../src/service/budget/budget.ts';
import type { Database } from '../../../src/store/database.ts';
import { createOperatorJobs, JOB_STATES } from '../../../src/store/operator-jobs.ts';
import { KEEP_AUDIT_ENTRIES_MS, prune } from '../../../src/store/prune.ts';
import type { Stores } from '../../../src/store/stores.ts';
import { E1, T1, workspaceNamed } from '../../installations/ids.ts';
import { newInstall } from '../installation-suite.ts';
import { newRequest } from '../request-suite.ts';
import { once } from '../stores-under-test.ts';

const SOME = 5;
/** As `npm run app -- jobs` does by default. */
const LISTED_JOBS = 101;

async function readAll(requests: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of requests);
}

const LEASE_MS = 60_000;

/** Calls what only replicas use, on Postgres. Afterwards this process has a lease, without which it claims no jobs. */
export async function useReplicas({ replicas }: Pick<Stores, 'replicas'>): Promise<void> {
  await replicas.deleteExpired();
  await replicas.leave();
  await replicas.renew(LEASE_MS);
}

/** Lists jobs as `npm run app -- jobs` does. */
export async function listJobs(db: Database): Promise<void> {
  const operator = createOperatorJobs(db);
  for (const state of JOB_STATES) {
    await operator.list({ states: [state], limit: LISTED_JOBS });
    await operator.list({ states: [state], workspace: 'T1', limit: LISTED_JOBS });
  }
}

/** Calls every other function of the stores, on a database filled by `fillLargeDatabase`. */
export async function useEveryStore(db: Database, stores: Stores, start: Date): Promise<void> {
  const { requests, jobTable, installations, organizations, entries } = stores;
  /** When everything has expired but what was done last. */
  const yearLater = new Date(start.getTime() + KEEP_AUDIT_ENTRIES_MS + 1_000);
  const now = new Date(start.getTime() + 200_000);
  const soon = new Date(now.getTime() + 1_000);

  await installations.save(newInstall(T1), now);
  await installations.save({ id: workspaceNamed('T2') }, now);
  const version = (await installations.describe(T1))?.version ?? '';
  const install = { id: T1, version };
  await installations.open(T1);
  await installations.list();
  await installations.listExpiring(now);
  await installations.claimRefresh(install, soon, now);
  await installations.endClaims();
  await installations.saveTokens(install, { token: 'xoxb-2' });
  await installations.remove({ id: T1, version: 'another' });
  await organizations.add(E1, [T1], now);
  await organizations.organizationOf(T1);
  await organizations.findWorkspace(E1, 'T1');
  await organizations.workspacesOf(E1);

  await stores.keys.save(T1, 'a-key-of-the-service', 'U1', now);
  await stores.keys.seed(workspaceNamed('T2'), 'another-key', now);
  await stores.keys.open(T1);
  const { fingerprint = '' } = (await stores.keys.describe(T1)) ?? {};
  await stores.keys.markRejected(T1, fingerprint, now);
  await stores.keys.disconnect(T1, now);
  await stores.keyring.require([]);
  await stores.keyring.reseal();
  await entries.takeOnce(once(T1, 'U1'), now);
  await entries.get(once(T1, 'U1'));
  const entry = { what: 'settings_changed', by: 'U1', changes: [] } as const;
  await stores.auditEntries.add(T1, entry, now);
  await stores.auditEntries.list([T1, E1], SOME);
  await entries.remove(once(T1, 'U1'));
  await entries.put(once(T1, 'U1'), true, now);
  const kind = { kind: once(T1, '').kind, owner: T1 };
  await entries.putAll(kind, [{ name: 'U1', value: true }], now);
  await entries.list(kind, ['U1/', 'C1/', 'T1/']);
  await entries.remove(kind);

  await stores.backlog.openRequests();
  await stores.backlog.dueJobs(now);

  const { watches } = stores;
  const watched = { workspaceId: T1, cardId: 'card-new', watchId: 'w1', revision: 0 };
  await watches.begin(watched, { watchId: 'w1', told: {} }, now);
  await watches.get(watched);
  await watches.change(watched, { told: {}, changedAt: now });
  await watches.addWatcher(watched, { userId: 'U1', thread: { channel: 'C1', ts: '1.1' } }, now);
  await watches.moveWatcher(watched, 'U1', { channel: 'C2', ts: '2.2' });
  await watches.leaveThread(watched, { channel: 'C2', ts: '2.2' });
  await watches.watchersOf(watched);
  await watches.watchedBy(T1, 'U1', ['card-new']);
  await watches.addMessage(watched, { channel: 'C1', ts: '1.1', shown: {} }, now);
  await watches.touchMessage(watched, { channel: 'C1', ts: '1.1', shown: {} }, now);
  await watches.messagesOf(watched, SOME);
  await watches.removeMessage(watched, { channel: 'C1', ts: '1.1' });
  await watches.removeWatcher(watched, 'U1');
  await watches.end({ ...watched, revision: 1 });
  await watches.prune(new Date(start.getTime() + SOME));

  const revision = await stores.budgets.replace('f1', undefined, newBudget(), {
    now,
    aheadSeconds: 0,
  });
  await stores.budgets.replace('f1', revision, newBudget(), { now, aheadSeconds: 0 });
  await stores.budgets.read('f1', now);

  await stores.watches.cardsWatchedBy(T1, 'U1', SOME);
  const request = newRequest('r1');
  await requests.add(request, now);
  await requests.get(T1, 'r1');
  await requests.getByReference(T1, 'DR-00000000');
  await requests.getByCard(T1, 'card-1');
  await requests.linkCard(request, 'card-1');
  await requests.listByAuthor(T1, 'U1', SOME);
  await requests.listOpenByAuthor(T1, 'U1', SOME);
  await requests.countByAuthor(T1, 'U1');
  await readAll(requests.waitingForKey(workspaceNamed('T2')));
  await readAll(requests.unfinished('queued'));
  await readAll(requests.unfinished('in_doubt'));
  await requests.withReference('DR-00000000');
  await readAll(requests.unannounced());
  const held = { ...request, whileSentBy: '1/1', whileHeld: '1/1' };
  await requests.changeState(held, ['queued'], 'sending', {}, now);
  await requests.changeState(request, ['queued'], 'created', {}, now);
  await requests.markAnnounced({ ...request, revision: 2 });
  await requests.doubtAllPending(now);

  jobTable.onAdded(() => undefined);
  const job = { kind: 'test', workspaceId: T1, payload: {}, identity: 'a job' };
  await jobTable.add(job, now);
  await jobTable.isPending('a job');
  await stores.transact(async ({ jobs, requests: changed, entries: taken }) => {
    await jobs.add({ ...job, identity: 'another' }, now);
    await changed.add(newRequest('r2'), now);
    await taken.takeOnce(once(T1, 'U2'), now);
  });
  const [first, second] = await jobTable.claim(now, SOME);
  if (!first || !second) throw new Error('there are no jobs to claim');
  await jobTable.isHeld(`${first.id}/${first.fence}`);
  await jobTable.finish(first, 'done', now);
  await jobTable.postpone(second, soon);
  await jobTable.releaseAbandoned(now, SOME);
  await jobTable.bringForward('a job', now);
  await prune(db, yearLater);

  for (const id of await stores.rows.listForeign()) await stores.rows.deleteAll(id, undefined);
  await stores.rows.deleteAll(T1, await installations.describe(T1));
}

/**
 * Records which functions of the stores are called.
 *
 * @returns the stores, and the names of functions that were never called
 */
export function watchCalls(stores: Stores): { stores: Stores; uncalled(): string[] } {
  const uncalled = new Set<string>();
  const watch = <Target extends object>(target: Target, path: string): Target => {
    for (const [name, value] of Object.entries(target)) {
      if (typeof value === 'function') uncalled.add(`${path}${name}`);
    }
    return new Proxy(target, {
      get(from, name, receiver) {
        uncalled.delete(`${path}${String(name)}`);
        const value: unknown = Reflect.get(from, name, receiver);
        return typeof value === 'object' && value !== null ? (watched.get(value) ?? value) : value;
      },
    });
  };
  const watched = new Map<object, object>();
  for (const [name, store] of Object.entries(stores)) {
    if (typeof store === 'object') watched.set(store, watch(store, `${name}.`));
  }
  return { stores: watch(stores, ''), uncalled: () => [...uncalled] };
}

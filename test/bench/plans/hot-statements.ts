import type { Database } from '../../../src/store/database.ts';
import { createOperatorJobs } from '../../../src/store/operator-jobs.ts';
import { prune } from '../../../src/store/prune.ts';
import type { Stores } from '../../../src/store/stores.ts';
import { workspaceNamed } from '../../installations/ids.ts';
import { kindsOf } from '../../store/kinds-of.ts';
import { once } from '../../store/once.ts';
import { newRequest } from '../../store/request-suite.ts';

const T = workspaceNamed('T7');
const LIMIT = 100;
const KEPT_MS = 25 * 60 * 60_000;

type Use = { db: Database; stores: Stores; now: Date };

/**
 * What the app does at each delivery, job, or card, and what it does again and again while it runs. `LIMIT` is what
 * `npm run app -- jobs` shows.
 */
export const HOT: Record<string, (use: Use) => Promise<unknown>> = {
  'store an event': ({ stores, now }) =>
    stores.jobTable.add({ kind: 'test', workspaceId: T, payload: {}, identity: 'new' }, now),
  'notice an event that is delivered again': ({ stores, now }) =>
    stores.jobTable.add({ kind: 'test', workspaceId: T, payload: {}, identity: 'event/5' }, now),
  'claim jobs': ({ stores, now }) => stores.jobTable.claim(now, 8),
  'end a job': async ({ stores, now }) => {
    const [claimed] = await stores.jobTable.claim(now, 1);
    if (claimed) await stores.jobTable.finish(claimed, 'done', now);
  },
  'renew a replica’s lease': ({ stores }) => stores.replicas.renew(KEPT_MS),
  'reclaim jobs of replicas that are gone': ({ stores, now }) =>
    stores.jobTable.releaseAbandoned(now, LIMIT),
  'delete what has expired': ({ db, now }) => prune(db, now),
  'find an installation': ({ stores }) => stores.installations.describe(T),
  'find a workspace’s key': ({ stores }) => stores.keys.describe(T),
  'read a key’s budget': ({ stores }) => stores.budgets.read('f7', new Date()),
  'take a command or button press once': ({ stores, now }) =>
    stores.entries.takeOnce(once(T, 'new'), now),
  'fill a form with earlier choices': ({ stores }) =>
    kindsOf(stores).formDefaults.of(T, ['U1', 'C7', '']),
  'find unfinished forms': ({ stores }) => kindsOf(stores).unfinishedForms.of(T, 'U1'),
  'store a request': ({ stores, now }) => stores.requests.add(newRequest('new'), now),
  'list a person’s requests': ({ stores }) => stores.requests.listByAuthor(T, 'U7', LIMIT),
  'list what waits for a person': ({ stores }) => stores.requests.listOpenByAuthor(T, 'U7', LIMIT),
  'who requested a card': ({ stores }) => stores.requests.getByCard(T, 'card-7'),
  'who watches a card': ({ stores }) =>
    stores.watches.watchersOf({ workspaceId: T, cardId: 'card-7' }),
  'which messages show a card': ({ stores }) =>
    stores.watches.messagesOf({ workspaceId: T, cardId: 'card-7' }, LIMIT),
  'npm run app -- jobs': ({ db }) =>
    createOperatorJobs(db).list({ states: ['ready', 'running', 'failed'], limit: LIMIT }),
  'npm run app -- jobs --workspace': ({ db }) =>
    createOperatorJobs(db).list({ states: ['ready', 'failed'], workspace: 'T7', limit: LIMIT }),
  'npm run app -- jobs --state done': ({ db }) =>
    createOperatorJobs(db).list({ states: ['done'], limit: LIMIT }),
};

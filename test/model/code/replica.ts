import { setImmediate as turn } from 'node:timers/promises';
import { createLease, type Lease } from '../../../src/jobs/lease.ts';
import { createJobAttempts, runClaimed } from '../../../src/jobs/runner.ts';
import { createLog } from '../../../src/ops/logging.ts';
import { requestJobHandlers } from '../../../src/requests/job-handlers.ts';
import { isSearchedFor } from '../../../src/requests/jobs.ts';
import { resumeRequests } from '../../../src/requests/resume.ts';
import { moveBack } from '../../../src/service/budget/budget.ts';
import { createGates } from '../../../src/service/budget/gate.ts';
import type { BudgetStore } from '../../../src/service/budget/shared-budget.ts';
import { createDesignApi } from '../../../src/service/client.ts';
import { DesignApiError } from '../../../src/service/errors.ts';
import { createEffectiveKeys, createServiceAccess } from '../../../src/service/service-access.ts';
import type { Database } from '../../../src/store/database.ts';
import { type ClaimedJob, createJobStore, type JobStore } from '../../../src/store/jobs.ts';
import { createReplicaStore } from '../../../src/store/replicas.ts';
import type { RequestStore } from '../../../src/store/requests.ts';
import type { Transact } from '../../../src/store/stores.ts';
import { createStores } from '../../../src/store/stores.ts';
import { createProcess, runAs } from '../../crash/process/simulated-process.ts';
import { createVirtualTime } from '../../crash/process/virtual-time.ts';
import { kindsOf } from '../../store/kinds-of.ts';
import { currentWorker, stopAt } from './worker.ts';

export const ENCRYPTION_KEYS = [{ id: 'k1', key: new Uint8Array(32) }];
/** How many crashes a job may survive; histories have fewer. */
const MOST_CRASHES = 8;
/** Much longer than a history takes, since Postgres' own clock goes on meanwhile. */
const TIMING = { leaseMs: 3_600_000, renewMs: 600_000 };
const MOST_RENEWALS = 10;

export type CodeReplica = ReturnType<typeof createReplica>;

/** The code of one replica, from its stores to its job handlers; it stops at the gates of its workers. */
export function createReplica(options: {
  db: Database;
  processId: string;
  isShared: boolean;
  resumes: boolean;
  baseUrl: string;
  now: () => Date;
  /** By how many seconds the database's clock is. */
  ahead: number;
}) {
  const { db, processId, isShared, baseUrl, now, ahead } = options;
  const log = createLog({ level: 'silent' });
  const stores = createStores(db, ENCRYPTION_KEYS);
  const jobTable = createJobStore(db, { processId });
  const { requests, transact } = gatedStores(stores, now);
  const jobs = { add: (job: Parameters<JobStore['add']>[0]) => jobTable.add(job, now()) };
  const keys = createEffectiveKeys({ ...stores, transact });
  const observer = {
    ...{ call() {}, took() {}, keepsFailing() {}, works() {} },
    budgetFailed: (error: unknown) => void fail(error),
  };
  const service = createServiceAccess({
    ...{ keys, now, log },
    gates: createGates({ store: virtualBudgets(stores.budgets, ahead), now, observer }),
    keyRejectedJob: () => fail(new Error('No key is rejected here.')),
    openApi: (apiKey, gate) => {
      const api = createDesignApi({
        ...{ baseUrl, apiKey, now, timezone: 'UTC', timeouts: { retryBase: 1 } },
        gate: (call, make) =>
          gate(call, async (maySend) => {
            await stopAt('call');
            // Nothing is sent, as if no connection could be opened.
            return make(currentWorker()?.answer === 'not sent' ? () => false : maySend);
          }),
      });
      return {
        ...api,
        async listTasks(...asked) {
          const listing = await api.listTasks(...asked);
          switch (currentWorker()?.finding) {
            case 'finds it':
              return listing;
            case 'finds nothing':
              throw new DesignApiError({
                ...{ code: 'forbidden', operation: 'listTasks', message: 'It is refused.' },
              });
            default:
              return { items: [] };
          }
        },
      };
    },
  });

  // Only the lease uses virtual time, so that it is renewed when the model says so.
  const time = createVirtualTime(now().getTime());
  const process = createProcess({ name: processId, time, random: () => 0 });
  const asProcess = <Result>(work: () => Result): Result => runAs(process, work);
  const replicas = createReplicaStore(db, processId);
  let goingOn = 0;
  let renewals = 0;
  let reclaimed = 0;
  async function counted<Result>(work: () => Promise<Result>): Promise<Result> {
    goingOn += 1;
    return work().finally(() => {
      goingOn -= 1;
    });
  }
  const resume = () =>
    resumeRequests({ requests: stores.requests, keys, jobs, transact, jobTable, now });
  const releaseAbandoned = async () => {
    await jobTable.releaseAbandoned(now(), MOST_CRASHES);
    reclaimed += 1;
  };
  const lease: Lease | undefined = isShared
    ? asProcess(() =>
        createLease({
          replicas: {
            ...replicas,
            renew(forMs) {
              renewals += 1;
              return counted(() => replicas.renew(forMs));
            },
            deleteExpired: () => counted(() => replicas.deleteExpired()),
          },
          onExpired: () => counted(async () => (options.resumes ? resume() : undefined)),
          now: () => new Date(time.now()),
          log,
          timing: TIMING,
        }),
      )
    : undefined;

  async function renewLease(): Promise<void> {
    const before = renewals;
    // Timers of the connections may come first.
    while (renewals === before) {
      if (!asProcess(() => time.runNext()))
        throw new Error(`${processId} renews its lease no more.`);
      do await turn();
      while (goingOn > 0);
    }
  }

  const attempts = createJobAttempts({
    ...{ now, log, signal: new AbortController().signal, onPostponed: () => undefined },
    jobs: {
      async finish(...given) {
        if (currentWorker()?.phase === 'recorded') await stopAt('endSending');
        await jobTable.finish(...given);
      },
      async postpone(...given) {
        if (currentWorker()?.phase === 'recorded') await stopAt('endSending');
        await jobTable.postpone(...given);
      },
    },
    handlers: requestJobHandlers({
      ...{ requests, transact, keys, jobTable, jobs, now, log, settings: kindsOf(stores).settings },
      watches: stores.watches,
      service: {
        ...service,
        async open(workspaceId) {
          const session = await service.open(workspaceId);
          return {
            ...session,
            async call(...asked) {
              const worker = currentWorker();
              if (worker) worker.phase = 'sending';
              await stopAt('takeGrant');
              return session.call(...asked);
            },
          };
        },
      },
      cards: { forgetCard: async () => undefined },
      referenceLists: { formOptions: () => fail(new Error('The key never changes here.')) },
      stopping: new AbortController().signal,
      checkAuthor: async () => undefined,
      checkFiles: async () => undefined,
      toNewCard: async ({ form, reference }) => ({
        ...{ title: form.title, description: `<p>${reference}</p>` },
        ...{ typeId: form.requestType.id, product: form.product, dimension: form.dimensions },
        ...{ software: form.software, fileFormats: form.formats.join(', ') },
      }),
      announcer: {
        announce: async () => undefined,
        tellPlainly: async () => undefined,
        show: async () => undefined,
      },
    }),
  });

  return {
    ...{ processId, jobTable, requests: stores.requests, transact: stores.transact },
    /** @param isHeld as `heldFromNow` has returned it before the job was claimed */
    runJob: (job: ClaimedJob, isHeld: () => boolean): Promise<void> =>
      runClaimed(isHeld, () => attempts.run(job)),
    heldFromNow(): () => boolean {
      const isHeld = asProcess(() => lease?.heldFromNow() ?? (() => true));
      return () => asProcess(isHeld);
    },
    /** @param options.resumes whether to add missing jobs */
    async start({ resumes }: { resumes: boolean }) {
      if (resumes) await resume();
      if (lease) await asProcess(() => lease.start(() => counted(releaseAbandoned)));
      else await releaseAbandoned();
    },
    isLeased: (): boolean => asProcess(() => lease?.heldFromNow()() ?? true),
    /** Lets its lease expire. */
    freeze() {
      process.state = 'frozen';
      time.runNext(time.now() + 2 * TIMING.leaseMs);
      process.state = 'running';
    },
    renewLease,
    /** Renews its lease until it has reclaimed the jobs of dead replicas. */
    async reclaimJobs() {
      const before = reclaimed;
      for (let tries = 0; reclaimed === before; tries += 1) {
        if (tries === MOST_RENEWALS) throw new Error(`${processId} reclaims no jobs.`);
        await renewLease();
      }
    },
  };
}

/** The stores as the jobs use them: they stop at gates before they commit. */
function gatedStores(stores: { requests: RequestStore; transact: Transact }, now: () => Date) {
  async function beforeOutcome() {
    const worker = currentWorker();
    if (worker?.phase !== 'sending') return;
    worker.phase = 'recorded';
    await stopAt('recordOutcome');
  }
  const requests: RequestStore = {
    ...stores.requests,
    async get(...given) {
      const request = await stores.requests.get(...given);
      // The model, not the clock, says when there was enough searching.
      if (!request || !isSearchedFor(request)) return request;
      return Object.defineProperty(request, 'updatedAt', { get: now });
    },
    async changeState(...given) {
      if (given[2] === 'sending') await stopAt('beginSending');
      else await beforeOutcome();
      return stores.requests.changeState(...given);
    },
  };
  const transact: Transact = async (work) => {
    await beforeOutcome();
    return stores.transact(work);
  };
  return { requests, transact };
}

function fail(error: unknown): never {
  throw error;
}

/** By how many seconds the database's clock is ahead of a virtual time that starts then. */
export const secondsAhead = (startsAt: number): number =>
  Math.round((Date.now() - startsAt) / 1_000);

/**
 * Budgets in a virtual time that only moves forward, in a database whose own clock is real: to the database, everything
 * that a budget says is shifted by the same number of seconds.
 */
export function virtualBudgets(store: BudgetStore, ahead: number): BudgetStore {
  return {
    async read(fingerprint) {
      const { kept } = await store.read(fingerprint, new Date());
      if (!kept) return { kept, aheadSeconds: 0 };
      const changedAt = new Date(kept.changedAt.getTime() - ahead * 1_000);
      return {
        kept: { ...kept, changedAt, budget: moveBack(kept.budget, ahead) },
        aheadSeconds: 0,
      };
    },
    replace: (fingerprint, revision, budget) =>
      store.replace(fingerprint, revision, moveBack(budget, -ahead), {
        now: new Date(),
        aheadSeconds: 0,
      }),
  };
}

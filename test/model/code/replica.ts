import { setImmediate as turn } from 'node:timers/promises';
import { createEffectiveKeys } from '../../../src/installations/effective-keys.ts';
import { createJobAttempts } from '../../../src/jobs/job-attempts.ts';
import { createLease, type Lease } from '../../../src/jobs/lease.ts';
import { createLog } from '../../../src/ops/logging.ts';
import { requestJobHandlers } from '../../../src/requests/job-handlers.ts';
import { resumeUnfinished } from '../../../src/requests/resume-unfinished.ts';
import { createGates } from '../../../src/service/budget/gates.ts';
import { createDesignApi } from '../../../src/service/client.ts';
import { createServiceAccess } from '../../../src/service/service-access.ts';
import type { Database } from '../../../src/store/database.ts';
import { createJobNotifications } from '../../../src/store/job-notifications.ts';
import { type ClaimedJob, createJobStore, type JobStore } from '../../../src/store/jobs.ts';
import { createReplicaStore } from '../../../src/store/replicas.ts';
import type { RequestStore } from '../../../src/store/requests.ts';
import { createStores } from '../../../src/store/stores.ts';
import type { Transact } from '../../../src/store/transact.ts';
import { createProcess, runAs } from '../../crash/process/simulated-process.ts';
import { createVirtualTime } from '../../crash/process/virtual-time.ts';
import { currentWorker, stopAt } from './worker.ts';

export const ENCRYPTION_KEYS = [{ id: 'k1', key: new Uint8Array(32) }];
/** As many ends of a process as a job may survive; histories have fewer. */
const MOST_CRASHES = 8;
/** By Postgres' own clock, which goes on while a history is played, so far longer than that takes. */
const TIMING = { leaseMs: 3_600_000, renewMs: 600_000 };
const MOST_RENEWALS = 10;

/** The code of one replica, from its stores to its job handlers; it stops at the gates of its workers. */
export type CodeReplica = {
  processId: string;
  jobTable: JobStore;
  requests: RequestStore;
  transact: Transact;
  runJob(job: ClaimedJob): Promise<void>;
  /** @param options.resumes adds the jobs that seem to be missing */
  start(options: { resumes: boolean }): Promise<void>;
  isLeased(): boolean;
  /** It stands still for longer than its lease. */
  freeze(): void;
  renewLease(): Promise<void>;
  /** Renews its lease until it has looked for dead replicas and taken back their jobs. */
  takeBackJobs(): Promise<void>;
};

export function createReplica(options: {
  db: Database;
  processId: string;
  isShared: boolean;
  resumes: boolean;
  baseUrl: string;
  now: () => Date;
}): CodeReplica {
  const { db, processId, isShared, baseUrl, now } = options;
  const log = createLog({ level: 'silent' });
  const notifications = createJobNotifications();
  const stores = createStores(db, ENCRYPTION_KEYS);
  const jobTable = createJobStore(db, { notifications, processId });
  const { requests, transact } = gatedStores(stores);
  const jobs = { add: (job: Parameters<JobStore['add']>[0]) => jobTable.add(job, now()) };
  const keys = createEffectiveKeys({ ...stores, transact });
  const observer = { call() {}, took() {}, budgetTrouble: (error: unknown) => void fail(error) };
  const service = createServiceAccess({
    ...{ keys, now, log },
    gates: createGates({ store: stores.budgets, now, observer }),
    keyRejectedJob: () => fail(new Error('No key is rejected here.')),
    openApi: (apiKey, gate) => {
      const api = createDesignApi({
        ...{ baseUrl, apiKey, now, timezone: 'UTC', timeouts: { retryBase: 1 } },
        gate: (call, make) =>
          gate(call, async (maySend) => {
            await stopAt('call');
            // As where no connection can be opened.
            return make(currentWorker()?.answer === 'not sent' ? () => false : maySend);
          }),
      });
      return {
        ...api,
        async listTasks(...asked) {
          const listing = await api.listTasks(...asked);
          return currentWorker()?.finding === 'finds it' ? listing : { items: [] };
        },
      };
    },
  });

  // Time passes for the lease alone: it is renewed when the model says so.
  const time = createVirtualTime(now().getTime());
  const process = createProcess(processId, time);
  const asProcess = <Result>(work: () => Result): Result => runAs(process, work);
  const replicas = createReplicaStore(db, processId);
  let goingOn = 0;
  let renewals = 0;
  let takenBack = 0;
  async function counted<Result>(work: () => Promise<Result>): Promise<Result> {
    goingOn += 1;
    return work().finally(() => {
      goingOn -= 1;
    });
  }
  const resume = () =>
    resumeUnfinished({ requests: stores.requests, keys, jobs, transact, jobTable, now });
  const releaseAbandoned = async () => {
    await jobTable.releaseAbandoned(now(), MOST_CRASHES);
    takenBack += 1;
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
            deleteExpired: (forMs) => counted(() => replicas.deleteExpired(forMs)),
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
    // Other timers, such as those of the connections, come in between.
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
        if (currentWorker()?.phase === 'recorded') await stopAt('endDelivery');
        await jobTable.finish(...given);
      },
      async postpone(...given) {
        if (currentWorker()?.phase === 'recorded') await stopAt('endDelivery');
        await jobTable.postpone(...given);
      },
    },
    handlers: requestJobHandlers({
      ...{ requests, transact, keys, jobTable, jobs, now, log, settings: stores.settings },
      service: {
        ...service,
        async open(workspaceId) {
          const session = await service.open(workspaceId);
          return {
            ...session,
            async call(...asked) {
              const worker = currentWorker();
              if (worker) worker.phase = 'delivering';
              await stopAt('takeGrant');
              return session.call(...asked);
            },
          };
        },
      },
      cards: { forgetCard: async () => undefined },
      lease: lease && {
        heldFromNow() {
          const isHeld = asProcess(() => lease.heldFromNow());
          return () => asProcess(isHeld);
        },
      },
      stopping: new AbortController().signal,
      whyAuthorDenied: async () => undefined,
      toNewCard: async ({ form, reference }) => ({
        ...{ title: form.title, description: `<p>${reference}</p>` },
        ...{ typeId: form.requestType.id, product: form.product, dimension: form.dimensions },
        ...{ software: form.software, fileFormats: form.formats.join(', ') },
      }),
      announcer: { announce: async () => undefined, tellPlainly: async () => undefined },
    }),
  });

  return {
    ...{ processId, jobTable, requests: stores.requests, transact: stores.transact },
    runJob: (job) => attempts.run(job),
    async start({ resumes }) {
      if (resumes) await resume();
      if (lease) await asProcess(() => lease.start(() => counted(releaseAbandoned)));
      else await releaseAbandoned();
    },
    isLeased: () => asProcess(() => lease?.isValid() ?? true),
    freeze() {
      process.state = 'frozen';
      time.runNext(time.now() + 2 * TIMING.leaseMs);
      process.state = 'running';
    },
    renewLease,
    async takeBackJobs() {
      const before = takenBack;
      for (let tries = 0; takenBack === before; tries += 1) {
        if (tries === MOST_RENEWALS) throw new Error(`${processId} takes back no jobs.`);
        await renewLease();
      }
    },
  };
}

/** The stores as a job of a worker sees them: what it commits waits for its turn. */
function gatedStores(stores: { requests: RequestStore; transact: Transact }) {
  async function beforeOutcome() {
    const worker = currentWorker();
    if (worker?.phase !== 'delivering') return;
    worker.phase = 'recorded';
    await stopAt('recordOutcome');
  }
  const requests: RequestStore = {
    ...stores.requests,
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

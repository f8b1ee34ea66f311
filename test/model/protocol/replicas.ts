import { isLeased, reasonToSearch } from './changes.ts';
import { has, type Rules } from './safeguards.ts';
import { DEAD, FREE_JOB, idleWorker, type Job, NOBODY, type State } from './state.ts';

const isShared = ({ leases }: State): boolean => leases.length > 1;

/** Interrupting an idle replica would change nothing. */
const mayBeInterrupted = (state: State, replica: number, { scope }: Rules): boolean =>
  state.interruptions < scope.interruptions &&
  state.workers.some((worker) => worker.replica === replica && worker.step !== 'idle');

/** On SQLite its jobs are free at once; on Postgres they wait until a living replica reclaims them. */
export function crash(state: State, replica: number, rules: Rules): State | undefined {
  if (!mayBeInterrupted(state, replica, rules)) return undefined;
  const crashed: State = {
    ...state,
    interruptions: state.interruptions + 1,
    leases: state.leases.with(replica, 'held'),
    hasUnnoticedDeath:
      state.hasUnnoticedDeath || (isShared(state) && state.leases[replica] !== 'noticed'),
    workers: state.workers.map((worker) =>
      worker.replica === replica ? idleWorker(replica) : worker,
    ),
    requests: state.requests.map((request) => ({
      ...request,
      jobs: request.jobs.map((job) => (job.holder === replica ? { ...job, holder: DEAD } : job)),
    })),
  };
  return isShared(state) ? resume(crashed, rules) : resume(free(crashed), rules);
}

/** Releases the jobs of replicas that count as dead. */
function free(state: State): State {
  const requests = state.requests.map((request, index) => {
    const jobs = request.jobs.map((job) => (isAbandoned(state, job) ? FREE_JOB : job));
    const isLookedFor = state.workers.some(
      ({ step, request: other, replica, outcome }) =>
        step === 'searching' &&
        other === index &&
        outcome === reasonToSearch(request) &&
        isLeased(state, replica),
    );
    const notice = request.notice === 'searching' && !isLookedFor ? 'search' : request.notice;
    return { ...request, jobs, notice };
  });
  return { ...state, requests };
}

const isAbandoned = (state: State, { holder }: Job): boolean =>
  holder === DEAD || (holder !== NOBODY && !isLeased(state, holder));

/** Adds a job for each unfinished request that has none for its current revision. */
function resume(state: State, { scope }: Rules): State {
  if (!scope.resumes) return state;
  const requests = state.requests.map((request) => {
    const isUnsent = request.status === 'queued' || request.status === 'sending';
    if (!isUnsent || request.hasOwnJob) return request;
    return { ...request, jobs: [...request.jobs, FREE_JOB], hasOwnJob: true };
  });
  return { ...state, requests };
}

/** A replica is frozen until its lease has expired. */
export function freeze(state: State, replica: number, rules: Rules): State | undefined {
  if (!isShared(state) || !isLeased(state, replica)) return undefined;
  if (!mayBeInterrupted(state, replica, rules)) return undefined;
  return {
    ...state,
    interruptions: state.interruptions + 1,
    leases: state.leases.with(replica, 'expired'),
    workers: state.workers.map((worker) =>
      worker.replica === replica ? { ...worker, leaseHeld: false } : worker,
    ),
  };
}

export function renewLease(state: State, replica: number): State | undefined {
  if (isLeased(state, replica)) return undefined;
  return { ...state, leases: state.leases.with(replica, 'held') };
}

/** A living replica notices that others are dead, and reclaims their jobs. */
export function reclaimJobs(state: State, replica: number, rules: Rules): State | undefined {
  if (!isLeased(state, replica) || !has(rules, 'abandonedJobsAreReclaimed')) return undefined;
  if (!state.hasUnnoticedDeath && !state.leases.includes('expired')) return undefined;
  const leases = state.leases.map((lease) => (lease === 'expired' ? 'noticed' : lease));
  return resume(free({ ...state, leases, hasUnnoticedDeath: false }), rules);
}

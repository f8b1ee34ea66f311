import { has, type Rules } from './safeguards.ts';
import {
  type Claim,
  FREE_JOB,
  idleWorker,
  NO_CLAIM,
  type Outcome,
  type Request,
  type State,
  type Worker,
} from './state.ts';

export function requestAt({ requests }: State, index: number): Request {
  const request = requests[index];
  if (!request) throw new RangeError(`There is no request ${index}.`);
  return request;
}

export function workerAt({ workers }: State, index: number): Worker {
  const worker = workers[index];
  if (!worker) throw new RangeError(`There is no worker ${index}.`);
  return worker;
}

export const changeRequest = (state: State, index: number, change: Partial<Request>): State => ({
  ...state,
  requests: state.requests.with(index, { ...requestAt(state, index), ...change }),
});

export const changeWorker = (state: State, index: number, change: Partial<Worker>): State => ({
  ...state,
  workers: state.workers.with(index, { ...workerAt(state, index), ...change }),
});

export const becomeIdle = (state: State, index: number): State =>
  changeWorker(state, index, idleWorker(workerAt(state, index).replica));

export const isLeased = ({ leases }: State, replica: number): boolean => leases[replica] === 'held';

export const isHeld = ({ requests }: State, claim: Claim): boolean =>
  claim !== NO_CLAIM && requests.some(({ jobs }) => jobs.some((job) => job.claim === claim));

/** The smallest number that names no claim. */
export function unusedClaim({ requests, workers }: State): Claim {
  const used = new Set(workers.map(({ claim }) => claim));
  for (const { sentBy, jobs } of requests) {
    used.add(sentBy);
    for (const { claim } of jobs) used.add(claim);
  }
  let claim = NO_CLAIM + 1;
  while (used.has(claim)) claim += 1;
  return claim;
}

export const queue = (state: State, request: number): State =>
  changeRequest(state, request, {
    status: 'queued',
    notice: 'none',
    hasOwnJob: true,
    jobs: [...requestAt(state, request).jobs, FREE_JOB],
  });

export const reasonToSearch = ({ status }: Request): Outcome =>
  status === 'created' ? 'unnamed' : 'unknown';

/** It becomes known which card a request became; one in doubt was created. What was announced stays announced. */
export function link(state: State, request: number, rules: Rules): State {
  const { status, notice } = requestAt(state, request);
  const kept = has(rules, 'linkIsNoChange') ? notice : 'none';
  const next = status === 'in_doubt' ? 'tell' : kept;
  return changeRequest(state, request, { status: 'created', isLinked: true, notice: next });
}

/** Ends a job, unless its claim was lost. */
export function finishJob(state: State, request: number, claim: Claim): State {
  if (!isHeld(state, claim)) return state;
  const { jobs } = requestAt(state, request);
  return changeRequest(state, request, { jobs: jobs.filter((job) => job.claim !== claim) });
}

/** Postpones a job, unless its claim was lost. */
export function postponeJob(state: State, request: number, claim: Claim): State {
  if (!isHeld(state, claim)) return state;
  const { jobs } = requestAt(state, request);
  const postponed = jobs.map((job) => (job.claim === claim ? FREE_JOB : job));
  return changeRequest(state, request, { jobs: postponed });
}

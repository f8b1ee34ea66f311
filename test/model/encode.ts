import {
  type Claim,
  type Job,
  NO_CLAIM,
  NOBODY,
  type Request,
  type Scope,
  type State,
  type Worker,
} from './protocol/state.ts';

/** The same text for states that differ only in how things are numbered, or in what no longer matters. */
export function encode(state: State, scope: Scope): string {
  const requestShapes = state.requests.map((request) => shapeOfRequest(request, scope));
  const requestOrders = sortedOrders(requestShapes);
  const replicaOrders = sortedOrders(state.leases.map((_, replica) => shapeOf(state, replica)));
  let least: string | undefined;
  for (const requests of requestOrders) {
    for (const replicas of replicaOrders) {
      const text = encodeInOrder(state, { requests, replicas, requestShapes });
      if (least === undefined || text < least) least = text;
    }
  }
  return least ?? '';
}

function shapeOfRequest(request: Request, { resumes }: Scope): string {
  const { status, notice, isLinked, cards, hasOwnJob } = request;
  const isUnsent = status === 'queued' || status === 'sending';
  const own = flag(resumes && isUnsent && hasOwnJob);
  return `${status}${notice}${flag(isLinked)}${cards}${jobsThatMatter(request).length}${own}`;
}

/** A waiting job of a request with a final outcome will only end. */
function jobsThatMatter({ status, jobs }: Request): readonly Job[] {
  const hasEnded = status === 'created' || status === 'discarded';
  return hasEnded ? jobs.filter(({ holder }) => holder !== NOBODY) : jobs;
}

const shapeOfWorker = ({ step, leaseHeld, outcome }: Worker): string =>
  step === 'idle' ? '' : `${step}${flag(leaseHeld)}${outcome}`;

function shapeOf({ leases, workers }: State, replica: number): string {
  let shape = leases[replica] ?? '';
  for (const worker of workers) if (worker.replica === replica) shape += shapeOfWorker(worker);
  return shape;
}

const flag = (isSet: boolean): string => (isSet ? '+' : '-');

/** The orders in which one or two shapes are sorted: both orders if they are equal. */
function sortedOrders([first = '', second]: readonly string[]): readonly (readonly number[])[] {
  if (second === undefined) return [[0]];
  if (first !== second) return first < second ? [[0, 1]] : [[1, 0]];
  return [
    [0, 1],
    [1, 0],
  ];
}

type Order = {
  requests: readonly number[];
  replicas: readonly number[];
  requestShapes: readonly string[];
};

function encodeInOrder(state: State, order: Order): string {
  const { interruptions, hasUnnoticedDeath } = state;
  const nameOf = namesOfClaims(state);
  let text = `${interruptions}${flag(hasUnnoticedDeath)}`;
  for (const replica of order.replicas) {
    text += state.leases[replica];
    for (const worker of state.workers) {
      if (worker.replica !== replica) continue;
      const request = order.requests.indexOf(worker.request);
      text += `${shapeOfWorker(worker)}${request}${nameOf(worker.claim)};`;
    }
  }
  for (const index of order.requests) {
    const request = state.requests[index];
    if (!request) continue;
    const jobs = jobsThatMatter(request).map(
      ({ holder, claim }) =>
        `${holder < 0 ? holder : order.replicas.indexOf(holder)}${nameOf(claim)}`,
    );
    text += `${order.requestShapes[index]}${nameOf(request.sentBy)}${jobs.sort().join()};`;
  }
  return text;
}

/** Numbers claims in the order in which they occur. One that occurs only once is the same as none. */
function namesOfClaims({ requests, workers }: State): (claim: Claim) => number {
  const uses: number[] = [];
  const count = (claim: Claim) => {
    uses[claim] = (uses[claim] ?? 0) + 1;
  };
  for (const { claim } of workers) count(claim);
  for (const { sentBy, jobs } of requests) {
    count(sentBy);
    for (const { claim } of jobs) count(claim);
  }
  const names: number[] = [];
  let named = 0;
  return (claim) => {
    if (claim === NO_CLAIM || uses[claim] === 1) return 0;
    if (names[claim] === undefined) {
      named += 1;
      names[claim] = named;
    }
    return names[claim];
  };
}

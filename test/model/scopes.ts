import type { Scope } from './protocol/state.ts';

type NamedScope = { name: string; scope: Scope };

const ONE_REQUEST: NamedScope = {
  name: 'one request, two replicas, two interruptions, missing jobs added',
  scope: { requests: 1, workers: [0, 1], interruptions: 2, budget: 2, resumes: true },
};

/** The scopes that `npm run tool -- crash` explores. */
export const SCOPES: readonly NamedScope[] = [
  ONE_REQUEST,
  {
    name: 'two requests, two replicas, one interruption',
    scope: { requests: 2, workers: [0, 1], interruptions: 1, budget: 2, resumes: false },
  },
  {
    name: 'two requests in one process, two crashes, missing jobs added',
    scope: { requests: 2, workers: [0, 0], interruptions: 2, budget: 2, resumes: true },
  },
  {
    name: 'two requests, two replicas, two interruptions',
    scope: { requests: 2, workers: [0, 1], interruptions: 2, budget: 2, resumes: false },
  },
];

/** The scopes that `npm test` explores. */
export const QUICK_SCOPES: readonly NamedScope[] = [
  ONE_REQUEST,
  {
    name: 'two requests that share one call, two replicas, one interruption',
    scope: { requests: 2, workers: [0, 1], interruptions: 1, budget: 1, resumes: false },
  },
];

/** Large enough to find a violation without any one safeguard. */
export const SCOPE_OF_MUTATIONS: Scope = {
  ...{ requests: 1, workers: [0, 1], interruptions: 2, budget: 2, resumes: false },
};

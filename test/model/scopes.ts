import type { Scope } from './protocol/state.ts';

/** The scopes to explore; `npm test` explores the quick ones. */
export const SCOPES: readonly { name: string; isQuick: boolean; scope: Scope }[] = [
  {
    name: 'one request, two replicas, two interruptions, missing jobs added',
    isQuick: true,
    scope: { requests: 1, workers: [0, 1], interruptions: 2, budget: 2, resumes: true },
  },
  {
    name: 'two requests, two replicas, one interruption',
    isQuick: true,
    scope: { requests: 2, workers: [0, 1], interruptions: 1, budget: 2, resumes: false },
  },
  {
    name: 'two requests in one process, two crashes, missing jobs added',
    isQuick: false,
    scope: { requests: 2, workers: [0, 0], interruptions: 2, budget: 2, resumes: true },
  },
  {
    name: 'two requests, two replicas, two interruptions',
    isQuick: false,
    scope: { requests: 2, workers: [0, 1], interruptions: 2, budget: 2, resumes: false },
  },
];

/** Large enough to find a violation without any one safeguard. */
export const SCOPE_OF_MUTATIONS: Scope = {
  ...{ requests: 1, workers: [0, 1], interruptions: 2, budget: 2, resumes: false },
};

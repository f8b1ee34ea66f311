import type { Scope } from './protocol/state.ts';

/** What is explored. Those that are quick are explored by `npm test` too. */
export const SCOPES: readonly { name: string; isQuick: boolean; scope: Scope }[] = [
  {
    name: 'one request, two replicas, two interruptions, jobs made again',
    isQuick: true,
    scope: { requests: 1, workers: [0, 1], interruptions: 2, budget: 2, resumes: true },
  },
  {
    name: 'two requests, two replicas, one interruption',
    isQuick: true,
    scope: { requests: 2, workers: [0, 1], interruptions: 1, budget: 2, resumes: false },
  },
  {
    name: 'two requests in one process, two crashes, jobs made again',
    isQuick: false,
    scope: { requests: 2, workers: [0, 0], interruptions: 2, budget: 2, resumes: true },
  },
  {
    name: 'two requests, two replicas, two interruptions',
    isQuick: false,
    scope: { requests: 2, workers: [0, 1], interruptions: 2, budget: 2, resumes: false },
  },
];

/** Large enough to find what happens without any of the safeguards. */
export const SCOPE_OF_MUTATIONS: Scope = {
  ...{ requests: 1, workers: [0, 1], interruptions: 2, budget: 2, resumes: false },
};

import { DECISIONS, decide, submit, tellAuthor } from './author.ts';
import { crash, freeze, reclaimJobs, renewLease } from './replicas.ts';
import type { Rules } from './safeguards.ts';
import { beginSearch, FINDINGS, readCard, search } from './search.ts';
import {
  ANSWERS,
  beginSending,
  checkRequest,
  claimSending,
  endSending,
  recordOutcome,
  sendPost,
  withholdPost,
} from './sending.ts';
import type { State } from './state.ts';

/** A transition, with the indexes of what it concerns. */
export type Happened =
  | { name: 'submit' | 'tellAuthor' | 'readCard'; request: number }
  | { name: 'decide'; request: number; choice: (typeof DECISIONS)[number] }
  | { name: 'claimSending' | 'beginSearch'; worker: number; request: number }
  | { name: 'sendPost'; worker: number; choice: (typeof ANSWERS)[number] }
  | { name: 'search'; worker: number; choice: (typeof FINDINGS)[number] }
  | {
      name: 'checkRequest' | 'beginSending' | 'withholdPost' | 'recordOutcome' | 'endSending';
      worker: number;
    }
  | { name: 'crash' | 'freeze' | 'renewLease' | 'reclaimJobs'; replica: number };

export type TransitionName = Happened['name'];

export type Step = { happened: Happened; next: State };

export function stepsFrom(state: State, rules: Rules): Step[] {
  const steps: Step[] = [];
  const add = (happened: Happened, next: State | undefined) => {
    if (next) steps.push({ happened, next });
  };
  for (const request of state.requests.keys()) {
    add({ name: 'submit', request }, submit(state, request));
    for (const choice of DECISIONS) {
      add({ name: 'decide', request, choice }, decide(state, request, choice, rules));
    }
    add({ name: 'tellAuthor', request }, tellAuthor(state, request));
    add({ name: 'readCard', request }, readCard(state, request, rules));
    for (const worker of state.workers.keys()) {
      add({ name: 'claimSending', worker, request }, claimSending(state, worker, request));
      add({ name: 'beginSearch', worker, request }, beginSearch(state, worker, request));
    }
  }
  for (const worker of state.workers.keys()) {
    add({ name: 'checkRequest', worker }, checkRequest(state, worker, rules));
    add({ name: 'beginSending', worker }, beginSending(state, worker, rules));
    for (const choice of ANSWERS) {
      add({ name: 'sendPost', worker, choice }, sendPost(state, worker, choice, rules));
    }
    add({ name: 'withholdPost', worker }, withholdPost(state, worker, rules));
    add({ name: 'recordOutcome', worker }, recordOutcome(state, worker, rules));
    add({ name: 'endSending', worker }, endSending(state, worker));
    for (const choice of FINDINGS) {
      add({ name: 'search', worker, choice }, search(state, worker, choice, rules));
    }
  }
  for (const replica of state.leases.keys()) {
    add({ name: 'crash', replica }, crash(state, replica, rules));
    add({ name: 'freeze', replica }, freeze(state, replica, rules));
    add({ name: 'renewLease', replica }, renewLease(state, replica));
    add({ name: 'reclaimJobs', replica }, reclaimJobs(state, replica, rules));
  }
  return steps;
}

import { DECISIONS, decide, submit, tellAuthor } from './author.ts';
import { minutePasses, takeGrant } from './budget.ts';
import {
  ANSWERS,
  beginSending,
  checkRequest,
  claimDelivery,
  endDelivery,
  recordOutcome,
  sendPost,
  withholdPost,
} from './delivery.ts';
import { beginLook, FINDINGS, look, withholdLook } from './lookup.ts';
import { crash, freeze, renewLease, takeBackJobs } from './replicas.ts';
import type { Rules } from './safeguards.ts';
import type { State } from './state.ts';

/** What happened, with the indexes of whom it concerns. */
export type Happened =
  | { name: 'submit' | 'tellAuthor'; request: number }
  | { name: 'decide'; request: number; choice: (typeof DECISIONS)[number] }
  | { name: 'claimDelivery' | 'beginLook'; worker: number; request: number }
  | { name: 'sendPost'; worker: number; choice: (typeof ANSWERS)[number] }
  | { name: 'look'; worker: number; choice: (typeof FINDINGS)[number] }
  | {
      name:
        | 'checkRequest'
        | 'beginSending'
        | 'takeGrant'
        | 'withholdPost'
        | 'recordOutcome'
        | 'endDelivery'
        | 'withholdLook';
      worker: number;
    }
  | { name: 'crash' | 'freeze' | 'renewLease' | 'takeBackJobs'; replica: number }
  | { name: 'minutePasses' };

export type TransitionName = Happened['name'];

export type Step = { happened: Happened; next: State };

/** Everything that can happen next. */
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
    for (const worker of state.workers.keys()) {
      add({ name: 'claimDelivery', worker, request }, claimDelivery(state, worker, request));
      add({ name: 'beginLook', worker, request }, beginLook(state, worker, request, rules));
    }
  }
  for (const worker of state.workers.keys()) {
    add({ name: 'checkRequest', worker }, checkRequest(state, worker, rules));
    add({ name: 'beginSending', worker }, beginSending(state, worker, rules));
    add({ name: 'takeGrant', worker }, takeGrant(state, worker, rules));
    for (const choice of ANSWERS) {
      add({ name: 'sendPost', worker, choice }, sendPost(state, worker, choice, rules));
    }
    add({ name: 'withholdPost', worker }, withholdPost(state, worker, rules));
    add({ name: 'recordOutcome', worker }, recordOutcome(state, worker, rules));
    add({ name: 'endDelivery', worker }, endDelivery(state, worker));
    for (const choice of FINDINGS) {
      add({ name: 'look', worker, choice }, look(state, worker, choice, rules));
    }
    add({ name: 'withholdLook', worker }, withholdLook(state, worker, rules));
  }
  for (const replica of state.leases.keys()) {
    add({ name: 'crash', replica }, crash(state, replica, rules));
    add({ name: 'freeze', replica }, freeze(state, replica, rules));
    add({ name: 'renewLease', replica }, renewLease(state, replica));
    add({ name: 'takeBackJobs', replica }, takeBackJobs(state, replica, rules));
  }
  add({ name: 'minutePasses' }, minutePasses(state));
  return steps;
}

import { createLease } from '../../src/jobs/lease.ts';
import { announceRequest } from '../../src/requests/announce-request.ts';
import { confirmFound, decideInDoubt } from '../../src/requests/decide.ts';
import { linkReadCard } from '../../src/requests/link-card.ts';
import { reconcileRequest } from '../../src/requests/reconcile-request.ts';
import { resumeRequests } from '../../src/requests/resume.ts';
import { recordSendOutcome } from '../../src/requests/send-outcome.ts';
import { sendRequest } from '../../src/requests/send-request.ts';
import { submitRequest } from '../../src/requests/submit-request.ts';
import { KeyGate } from '../../src/service/budget/gate.ts';
import { askBeforeSending } from '../../src/service/http/exchange.ts';
import { createCard } from '../../src/service/operations/card.ts';
import { createJobStore } from '../../src/store/jobs.ts';
import { createReplicaStore } from '../../src/store/replicas.ts';
import { createRequestStore } from '../../src/store/requests.ts';
import type { TransitionName } from './protocol/transitions.ts';

type Create<Made> = (...given: never[]) => Made;

/** The name of a method of what a function creates. After a rename it no longer compiles. */
const methodOf = <Made>(create: Create<Made>, method: keyof Made & string): string =>
  `${create.name}().${method}`;

const methodOfClass = <Made>(
  made: abstract new (...given: never[]) => Made,
  method: keyof Made & string,
) => `${made.name}.${method}`;

/** The functions that each transition stands for. The only file of the model that knows the code. */
export const STANDS_FOR: Record<TransitionName, readonly string[]> = {
  submit: [submitRequest.name],
  decide: [decideInDoubt.name, confirmFound.name],
  tellAuthor: [announceRequest.name],
  readCard: [linkReadCard.name],
  claimSending: [methodOf(createJobStore, 'claim')],
  checkRequest: [sendRequest.name, methodOfClass(KeyGate, 'checkSubmission')],
  beginSending: [sendRequest.name, methodOf(createRequestStore, 'changeState')],
  sendPost: [createCard.name],
  withholdPost: [askBeforeSending.name, methodOf(createLease, 'heldFromNow')],
  recordOutcome: [recordSendOutcome.name],
  endSending: [methodOf(createJobStore, 'finish'), methodOf(createJobStore, 'postpone')],
  beginSearch: [reconcileRequest.name],
  search: [reconcileRequest.name],
  crash: [resumeRequests.name],
  freeze: [methodOf(createLease, 'heldFromNow')],
  renewLease: [methodOf(createReplicaStore, 'renew')],
  reclaimJobs: [methodOf(createJobStore, 'releaseAbandoned'), resumeRequests.name],
};

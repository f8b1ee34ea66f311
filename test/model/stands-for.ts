import type { Lease } from '../../src/jobs/lease.ts';
import { announceRequest } from '../../src/requests/announce-request.ts';
import { confirmFound, decideInDoubt } from '../../src/requests/decide.ts';
import { linkReadCard } from '../../src/requests/link-card.ts';
import { reconcileRequest } from '../../src/requests/reconcile-request.ts';
import { resumeRequests } from '../../src/requests/resume.ts';
import { recordSendOutcome } from '../../src/requests/send-outcome.ts';
import { sendRequest } from '../../src/requests/send-request.ts';
import { submitRequest } from '../../src/requests/submit-request.ts';
import type { KeyGate } from '../../src/service/budget/gate.ts';
import { askBeforeSending } from '../../src/service/http/exchange.ts';
import { createCard } from '../../src/service/operations/card.ts';
import type { JobStore } from '../../src/store/jobs.ts';
import type { ReplicaStore } from '../../src/store/replicas.ts';
import type { RequestStore } from '../../src/store/requests.ts';
import type { TransitionName } from './protocol/transitions.ts';

/**
 * The functions that each transition stands for: after a rename, it no longer compiles. The only file of the model
 * that knows the code.
 */
export const STANDS_FOR: Record<TransitionName, readonly object[]> = {
  submit: [submitRequest],
  decide: [decideInDoubt, confirmFound],
  tellAuthor: [announceRequest],
  readCard: [linkReadCard],
  claimSending: [({ claim }: JobStore) => claim],
  checkRequest: [sendRequest, ({ checkSubmission }: KeyGate) => checkSubmission],
  beginSending: [sendRequest, ({ changeState }: RequestStore) => changeState],
  sendPost: [createCard],
  withholdPost: [askBeforeSending, ({ heldFromNow }: Lease) => heldFromNow],
  recordOutcome: [recordSendOutcome],
  endSending: [({ finish, postpone }: JobStore) => [finish, postpone]],
  beginSearch: [reconcileRequest],
  search: [reconcileRequest],
  crash: [resumeRequests],
  freeze: [({ heldFromNow }: Lease) => heldFromNow],
  renewLease: [({ renew }: ReplicaStore) => renew],
  reclaimJobs: [({ releaseAbandoned }: JobStore) => releaseAbandoned, resumeRequests],
};

import type { Happened } from './protocol/transitions.ts';

const workerName = (worker: number): string => `worker ${'AB'[worker]}`;
const requestName = (request: number): string => `request ${request + 1}`;
const replicaName = (replica: number): string => `replica ${replica + 1}`;

export function inWords(happened: Happened): string {
  switch (happened.name) {
    case 'submit':
      return `the author sends ${requestName(happened.request)}`;
    case 'decide':
      return `the author decides about ${requestName(happened.request)}: ${happened.choice}`;
    case 'tellAuthor':
      return `the author is told about ${requestName(happened.request)}`;
    case 'readCard':
      return `someone opens the card of ${requestName(happened.request)}`;
    case 'claimSending':
      return `${workerName(happened.worker)} claims a job that sends ${requestName(happened.request)}`;
    case 'checkRequest':
      return `${workerName(happened.worker)} checks whether the request can be sent`;
    case 'beginSending':
      return `${workerName(happened.worker)} commits “sending”`;
    case 'takeGrant':
      return `${workerName(happened.worker)} takes a call out of the budget`;
    case 'sendPost':
      return `${workerName(happened.worker)} sends POST /card: ${happened.choice}`;
    case 'withholdPost':
      return `${workerName(happened.worker)} must not send POST /card any more`;
    case 'recordOutcome':
      return `${workerName(happened.worker)} commits what came of it`;
    case 'endSending':
      return `${workerName(happened.worker)} ends its job`;
    case 'beginSearch':
      return `${workerName(happened.worker)} begins to search for the card of ${requestName(happened.request)}`;
    case 'search':
      return `${workerName(happened.worker)} sends GET /tasks and ${happened.choice}`;
    case 'withholdSearch':
      return `${workerName(happened.worker)} must not send GET /tasks with its old grant`;
    case 'crash':
      return `${replicaName(happened.replica)} crashes and starts again`;
    case 'freeze':
      return `${replicaName(happened.replica)} freezes for longer than its lease`;
    case 'renewLease':
      return `${replicaName(happened.replica)} wakes up and renews its lease`;
    case 'reclaimJobs':
      return `${replicaName(happened.replica)} reclaims the jobs of dead replicas`;
    case 'minutePasses':
      return 'a minute passes';
  }
}

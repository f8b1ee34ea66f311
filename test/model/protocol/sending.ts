import {
  becomeIdle,
  changeRequest,
  changeWorker,
  finishJob,
  isHeld,
  isLeased,
  postponeJob,
  requestAt,
  unusedClaim,
  workerAt,
} from './changes.ts';
import { has, type Rules } from './safeguards.ts';
import {
  NOBODY,
  type Outcome,
  type Request,
  type State,
  type Status,
  type Worker,
} from './state.ts';

export function claimSending(state: State, worker: number, request: number): State | undefined {
  const { step, replica } = workerAt(state, worker);
  if (step !== 'idle' || !isLeased(state, replica)) return undefined;
  const { jobs } = requestAt(state, request);
  const free = jobs.findIndex(({ holder }) => holder === NOBODY);
  if (free === -1) return undefined;
  const claim = unusedClaim(state);
  const claimed = changeRequest(state, request, {
    jobs: jobs.with(free, { holder: replica, claim }),
  });
  return changeWorker(claimed, worker, { step: 'claimed', request, claim, leaseHeld: true });
}

/** It reads the request and decides whether to send it. */
export function checkRequest(state: State, worker: number, rules: Rules): State | undefined {
  const { step, request, claim } = workerAt(state, worker);
  if (step !== 'claimed') return undefined;
  const { status } = requestAt(state, request);
  if (status === 'sending') return lookAfterSending(state, worker, rules);
  if (status !== 'queued') return becomeIdle(finishJob(state, request, claim), worker);
  return changeWorker(state, worker, { step: 'checked' });
}

/** It commits “sending”, if no other worker has and its claim holds. */
export function beginSending(state: State, worker: number, rules: Rules): State | undefined {
  const { step, request, claim } = workerAt(state, worker);
  if (step !== 'checked') return undefined;
  const isFirst = requestAt(state, request).status === 'queued' || !has(rules, 'statusIsCompared');
  const isOurs = isHeld(state, claim) || !has(rules, 'claimIsCompared');
  if (!isFirst || !isOurs) return becomeIdle(finishJob(state, request, claim), worker);
  const sending = changeWorker(state, worker, { step: 'sending' });
  if (!has(rules, 'sendingIsCommittedFirst')) return sending;
  return changeRequest(sending, request, { status: 'sending', sentBy: claim, hasOwnJob: false });
}

/** A request that is still being sent is left alone; otherwise it is in doubt. */
function lookAfterSending(state: State, worker: number, rules: Rules): State {
  const { replica, request, claim } = workerAt(state, worker);
  const { sentBy } = requestAt(state, request);
  const later = (now: State) => becomeIdle(postponeJob(now, request, claim), worker);
  const sender = state.workers.find(
    (other) => other.replica === replica && other.request === request && isSending(other),
  );
  if (sender?.step === 'answered') {
    // Its process knows the outcome, so whoever comes first commits it.
    const { isNotSent, state: recorded } = commitOutcome(state, sender, rules);
    return isNotSent ? later(recorded) : becomeIdle(finishJob(recorded, request, claim), worker);
  }
  if (sender) return later(state);
  const done = becomeIdle(finishJob(state, request, claim), worker);
  if (isHeld(state, sentBy) && has(rules, 'heldClaimIsLeftAlone')) return done;
  return has(rules, 'abandonedSendingIsInDoubt')
    ? changeRequest(done, request, { status: 'in_doubt', notice: 'search' })
    : changeRequest(later(state), request, { status: 'queued', hasOwnJob: false });
}

const isSending = ({ step }: Worker): boolean => step === 'sending' || step === 'answered';

/** What the service does with `POST /card`, and what the app learns. */
export const ANSWERS = [
  'done',
  'done, card not named',
  'done, answer lost',
  'failed, unknown',
  'not sent, or 429',
  'rejected',
] as const;
export type Answer = (typeof ANSWERS)[number];

const OUTCOME_OF: Record<Answer, Outcome> = {
  done: 'created',
  'done, card not named': 'unnamed',
  'done, answer lost': 'unknown',
  'failed, unknown': 'unknown',
  'not sent, or 429': 'not_sent',
  rejected: 'rejected',
};

export function sendPost(state: State, worker: number, answer: Answer, rules: Rules) {
  const one = workerAt(state, worker);
  if (one.step !== 'sending' || mustWithhold(state, one, rules)) return undefined;
  const answered = { step: 'answered', outcome: OUTCOME_OF[answer], leaseHeld: false } as const;
  const known = changeWorker(state, worker, answered);
  if (!answer.startsWith('done')) return known;
  const { cards } = requestAt(state, one.request);
  return changeRequest(known, one.request, { cards: cards + 1 });
}

/** Right before the first byte, it must not send any more; nothing was sent. */
export function withholdPost(state: State, worker: number, rules: Rules): State | undefined {
  const one = workerAt(state, worker);
  if (one.step !== 'sending' || !mustWithhold(state, one, rules)) return undefined;
  return changeWorker(state, worker, { step: 'answered', outcome: 'not_sent', leaseHeld: false });
}

function mustWithhold(state: State, { replica, leaseHeld }: Worker, rules: Rules): boolean {
  const isOver = has(rules, 'leaseGapCounts') ? !leaseHeld : !isLeased(state, replica);
  return isOver && has(rules, 'leaseIsCheckedBeforeSending');
}

const STATUS_AFTER: Record<Outcome, Status> = {
  none: 'sending',
  created: 'created',
  unnamed: 'created',
  rejected: 'rejected',
  not_sent: 'queued',
  unknown: 'in_doubt',
};

export function recordOutcome(state: State, worker: number, rules: Rules): State | undefined {
  const one = workerAt(state, worker);
  if (one.step !== 'answered') return undefined;
  const { isNotSent, state: committed } = commitOutcome(state, one, rules);
  const outcome = isNotSent ? 'not_sent' : 'none';
  return changeWorker(committed, worker, { step: 'recorded', outcome });
}

function commitOutcome(
  state: State,
  { request, claim, outcome }: Worker,
  rules: Rules,
): { isNotSent: boolean; state: State } {
  const isResent =
    (outcome === 'unknown' && !has(rules, 'lostAnswerIsInDoubt')) ||
    (outcome === 'unnamed' && !has(rules, 'unnamedIsCreated'));
  const heard = isResent ? 'not_sent' : outcome;
  const isNotSent = heard === 'not_sent';
  if (!counts(requestAt(state, request), { claim, outcome: heard }, rules)) {
    return { isNotSent, state };
  }
  const follows = heard === 'unknown' || heard === 'unnamed' ? 'search' : 'tell';
  const change: Partial<Request> = isNotSent
    ? { status: 'queued', hasOwnJob: false }
    : {
        status: STATUS_AFTER[heard],
        isLinked: heard === 'created',
        notice: has(rules, 'jobIsInTheSameCommit') ? follows : 'none',
      };
  return { isNotSent, state: changeRequest(state, request, change) };
}

/** A card or a rejection is certain, so it counts even if the request is in doubt by now. */
function counts(
  { status, sentBy }: Request,
  { claim, outcome }: { claim: number; outcome: Outcome },
  rules: Rules,
): boolean {
  if (!has(rules, 'sendingIsCommittedFirst')) return status === 'queued';
  if (sentBy !== claim && has(rules, 'outcomeIsFenced')) return false;
  const isCertain = outcome === 'created' || outcome === 'unnamed' || outcome === 'rejected';
  const isDoubted = status === 'in_doubt' || status === 'queued';
  return status === 'sending' || (isCertain && isDoubted);
}

/** It finishes its job, or postpones it if nothing was sent. Without its claim, it leaves the job as it is. */
export function endSending(state: State, worker: number): State | undefined {
  const { step, request, claim, outcome } = workerAt(state, worker);
  if (step !== 'recorded') return undefined;
  const end = outcome === 'not_sent' ? postponeJob : finishJob;
  return becomeIdle(end(state, request, claim), worker);
}

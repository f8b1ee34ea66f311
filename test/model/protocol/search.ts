import { countFromItsEnd } from './budget.ts';
import {
  becomeIdle,
  changeRequest,
  changeWorker,
  isLeased,
  requestAt,
  workerAt,
} from './changes.ts';
import { has, type Rules } from './safeguards.ts';
import type { State } from './state.ts';

/** A worker claims the job that searches for a card, and takes a grant; without a grant, the search waits. */
export function beginSearch(
  state: State,
  worker: number,
  request: number,
  { scope }: Rules,
): State | undefined {
  const { step, replica } = workerAt(state, worker);
  const { notice } = requestAt(state, request);
  if (step !== 'idle' || notice !== 'search' || !isLeased(state, replica)) return undefined;
  if (state.granted >= scope.budget) return undefined;
  return grant(changeRequest(state, request, { notice: 'searching' }), worker, request);
}

function grant(state: State, worker: number, request: number): State {
  const looking = changeWorker(state, worker, { step: 'searching', request, grantCounts: true });
  return { ...looking, granted: state.granted + 1 };
}

/** It finds nothing for good once the time is over, or if the service refuses to list cards. */
export const FINDINGS = ['finds it', 'finds nothing yet', 'finds nothing'] as const;
export type Finding = (typeof FINDINGS)[number];

/** It calls `GET /tasks`, whose listing may lack the card, and commits the result. */
export function search(
  state: State,
  worker: number,
  finding: Finding,
  rules: Rules,
): State | undefined {
  const { step, request, grantCounts } = workerAt(state, worker);
  const isLate = !grantCounts && has(rules, 'lateGrantIsNotUsed');
  if (step !== 'searching' || isLate) return undefined;
  if (finding === 'finds it' && requestAt(state, request).cards === 0) return undefined;
  const called = { ...becomeIdle(state, worker), received: state.received + 1 };
  return recordFinding(called, request, finding);
}

/** Its grant no longer counts right before the first byte, so it takes another. */
export function withholdSearch(state: State, worker: number, rules: Rules): State | undefined {
  const { step, request, grantCounts } = workerAt(state, worker);
  if (step !== 'searching' || grantCounts || !has(rules, 'lateGrantIsNotUsed')) return undefined;
  const counted = countFromItsEnd(state, rules);
  if (counted.granted < rules.scope.budget) return grant(counted, worker, request);
  return recordFinding(becomeIdle(counted, worker), request, 'finds nothing yet');
}

function recordFinding(state: State, request: number, finding: Finding): State {
  const { status, notice } = requestAt(state, request);
  if (status !== 'in_doubt') return state;
  if (finding === 'finds it') {
    return changeRequest(state, request, { status: 'created', notice: 'tell' });
  }
  const isAwaited = notice === 'search' || notice === 'searching';
  if (!isAwaited) return state;
  const next = finding === 'finds nothing' ? 'tell' : 'search';
  return changeRequest(state, request, { notice: next });
}

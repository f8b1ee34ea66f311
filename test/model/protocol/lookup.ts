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

/** A worker takes the job that looks for a card, and a grant; if there is none, the author is asked. */
export function beginLook(
  state: State,
  worker: number,
  request: number,
  { scope }: Rules,
): State | undefined {
  const { step, replica } = workerAt(state, worker);
  const { notice } = requestAt(state, request);
  if (step !== 'idle' || notice !== 'look' || !isLeased(state, replica)) return undefined;
  if (state.granted >= scope.budget) return changeRequest(state, request, { notice: 'tell' });
  return grant(changeRequest(state, request, { notice: 'looking' }), worker, request);
}

function grant(state: State, worker: number, request: number): State {
  const looking = changeWorker(state, worker, { step: 'looking', request, grantCounts: true });
  return { ...looking, granted: state.granted + 1 };
}

export const FINDINGS = ['finds it', 'finds nothing'] as const;
export type Finding = (typeof FINDINGS)[number];

/** It calls `GET /tasks`, whose listing need not hold every card, and commits what it found. */
export function look(
  state: State,
  worker: number,
  finding: Finding,
  rules: Rules,
): State | undefined {
  const { step, request, grantCounts } = workerAt(state, worker);
  const isLate = !grantCounts && has(rules, 'lateGrantIsNotUsed');
  if (step !== 'looking' || isLate) return undefined;
  if (finding === 'finds it' && requestAt(state, request).cards === 0) return undefined;
  const called = { ...becomeIdle(state, worker), received: state.received + 1 };
  return recordFinding(called, request, finding);
}

/** It finds, right before the first byte, that its grant counts no more, and takes another. */
export function withholdLook(state: State, worker: number, rules: Rules): State | undefined {
  const { step, request, grantCounts } = workerAt(state, worker);
  if (step !== 'looking' || grantCounts || !has(rules, 'lateGrantIsNotUsed')) return undefined;
  const counted = countFromItsEnd(state, rules);
  if (counted.granted < rules.scope.budget) return grant(counted, worker, request);
  return recordFinding(becomeIdle(counted, worker), request, 'finds nothing');
}

function recordFinding(state: State, request: number, finding: Finding): State {
  const { status, notice } = requestAt(state, request);
  if (status !== 'in_doubt') return state;
  if (finding === 'finds it') {
    return changeRequest(state, request, { status: 'created', notice: 'tell' });
  }
  const isAwaited = notice === 'look' || notice === 'looking';
  return isAwaited ? changeRequest(state, request, { notice: 'tell' }) : state;
}

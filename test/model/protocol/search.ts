import {
  becomeIdle,
  changeRequest,
  changeWorker,
  isLeased,
  link,
  reasonToSearch,
  requestAt,
  workerAt,
} from './changes.ts';
import type { Rules } from './safeguards.ts';
import type { State, Worker } from './state.ts';

/** A worker claims the job that searches for a card. */
export function beginSearch(state: State, worker: number, request: number): State | undefined {
  const { step, replica } = workerAt(state, worker);
  const { notice, isLinked } = requestAt(state, request);
  if (step !== 'idle' || notice !== 'search' || !isLeased(state, replica)) return undefined;
  // Meanwhile its card was read.
  if (isLinked) return changeRequest(state, request, { notice: 'tell' });
  const outcome = reasonToSearch(requestAt(state, request));
  const claimed = changeRequest(state, request, { notice: 'searching' });
  return changeWorker(claimed, worker, { step: 'searching', request, outcome });
}

/** “finds nothing” is final: the time is over, or the service refuses to list cards. */
export const FINDINGS = ['finds it', 'finds nothing yet', 'finds nothing'] as const;
export type Finding = (typeof FINDINGS)[number];

/** It calls `GET /tasks`, whose listing may lack the card, and commits the result. */
export function search(state: State, worker: number, finding: Finding, rules: Rules) {
  const one = workerAt(state, worker);
  if (one.step !== 'searching') return undefined;
  if (finding === 'finds it' && requestAt(state, one.request).cards === 0) return undefined;
  return recordFinding(becomeIdle(state, worker), one, finding, rules);
}

/** By now the request may no longer be in doubt, or be linked. */
function recordFinding(
  state: State,
  { request, outcome }: Pick<Worker, 'request' | 'outcome'>,
  finding: Finding,
  rules: Rules,
): State {
  const { status, notice, isLinked } = requestAt(state, request);
  if (status !== (outcome === 'unnamed' ? 'created' : 'in_doubt')) return state;
  const isFound = finding === 'finds it';
  const found = isFound && !isLinked ? link(state, request, rules) : state;
  const isAwaited = notice === 'search' || notice === 'searching';
  if (!isAwaited) return found;
  const next = finding === 'finds nothing yet' ? 'search' : 'tell';
  return changeRequest(found, request, { notice: next });
}

/** Someone opens its card for any reason, whose description names the request. */
export function readCard(state: State, request: number, rules: Rules): State | undefined {
  const { status, isLinked, cards } = requestAt(state, request);
  const isUnlinked = status === 'created' && !isLinked;
  if (cards === 0 || (status !== 'in_doubt' && !isUnlinked)) return undefined;
  return link(state, request, rules);
}

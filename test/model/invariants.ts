import type { Request, State } from './protocol/state.ts';
import type { Step, TransitionName } from './protocol/transitions.ts';

/** The invariants of docs/reliability.md that the model can break. */
export type Violation = 'One card' | 'Never two' | 'Within the budget';

/** Transitions that the app does not cause, so it must not depend on them. */
const FROM_OUTSIDE: readonly TransitionName[] = ['submit', 'decide', 'crash', 'freeze'];

/** @param steps all possible next steps */
export function violationIn(
  state: State,
  steps: readonly Step[],
  budget: number,
): Violation | undefined {
  const { requests, received } = state;
  if (requests.some(({ cards }) => cards > 1)) return 'Never two';
  if (requests.some((request) => isLost(request) || isUntold(request))) return 'One card';
  if (received > budget) return 'Within the budget';
  const isIdle = steps.every(({ happened }) => FROM_OUTSIDE.includes(happened.name));
  return isIdle && requests.some(isUnfinished) ? 'One card' : undefined;
}

const isUnfinished = (request: Request): boolean =>
  isUnderWay(request) || (request.notice !== 'none' && request.notice !== 'told');

const isUnderWay = ({ status }: Request): boolean => status === 'queued' || status === 'sending';

/** It has no job that would send it, or it counts as created without a card. */
const isLost = (request: Request): boolean =>
  (isUnderWay(request) && request.jobs.length === 0) ||
  (request.status === 'created' && request.cards === 0);

/** Its author must be told, and no job does. */
const isUntold = (request: Request): boolean =>
  request.status !== 'new' && !isUnderWay(request) && request.notice === 'none';

import { requestAt } from './protocol/changes.ts';
import type { Request, State } from './protocol/state.ts';
import type { Step, TransitionName } from './protocol/transitions.ts';

/** The invariants of docs/reliability.md that the model can break. */
export type Violation = 'One card' | 'Never two';

/** Transitions that the app does not cause, so it must not depend on them. */
const FROM_OUTSIDE: readonly TransitionName[] = ['submit', 'decide', 'readCard', 'crash', 'freeze'];

/** @param steps all possible next steps */
export function violationIn({ requests }: State, steps: readonly Step[]): Violation | undefined {
  if (requests.some(({ cards }) => cards > 1)) return 'Never two';
  if (requests.some((request) => isLost(request) || isUntold(request))) return 'One card';
  const isIdle = steps.every(({ happened }) => FROM_OUTSIDE.includes(happened.name));
  return isIdle && requests.some(isUnfinished) ? 'One card' : undefined;
}

/** Whether a step takes back which card a created request is, or that its author was told. */
export const takesBack = ({ requests }: State, next: State): boolean =>
  requests.some(({ status, isLinked, notice }, index) => {
    const after = requestAt(next, index);
    if (status !== 'created' || after.status !== 'created') return false;
    const isUnlinked = isLinked && !after.isLinked;
    const isToldAgain = notice === 'told' && after.notice !== 'told';
    return isUnlinked || isToldAgain;
  });

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

import { changeRequest, link, queue, requestAt } from './changes.ts';
import { has, type Rules } from './safeguards.ts';
import type { State } from './state.ts';

/** The author sends the form, or sends it again with corrections after a rejection. */
export function submit(state: State, request: number): State | undefined {
  const { status } = requestAt(state, request);
  if (status !== 'new' && status !== 'rejected') return undefined;
  return queue(state, request);
}

export const DECISIONS = ['send again', 'found it', 'discard'] as const;
export type Decision = (typeof DECISIONS)[number];

/** The author looks in the dashboard and decides about a request in doubt, or finds the card of one that is not linked. */
export function decide(state: State, request: number, decision: Decision, rules: Rules) {
  const { status, cards, isLinked } = requestAt(state, request);
  const isPressedTwice = status === 'queued' || status === 'sending';
  const isUnlinked = status === 'created' && !isLinked && decision === 'found it';
  const counts =
    status === 'in_doubt' || isUnlinked || (isPressedTwice && !has(rules, 'decisionWorksOnce'));
  if (!counts || (decision !== 'discard' && (decision === 'found it') !== cards > 0)) {
    return undefined;
  }
  switch (decision) {
    case 'send again':
      return queue(state, request);
    case 'found it':
      return link(state, request, rules);
    case 'discard':
      return changeRequest(state, request, { status: 'discarded', notice: 'tell' });
  }
}

export function tellAuthor(state: State, request: number): State | undefined {
  const isDue = requestAt(state, request).notice === 'tell';
  if (!isDue || !state.leases.includes('held')) return undefined;
  return changeRequest(state, request, { notice: 'told' });
}

import type { Scope } from './state.ts';

/** What keeps sending correct. Without any one of them, the model has a violation. */
export const SAFEGUARDS = {
  sendingIsCommittedFirst: '“sending” is on disk before the request leaves',
  abandonedSendingIsInDoubt: '“sending” without its sender is in doubt, not sent again',
  lostAnswerIsInDoubt: 'a request whose answer was lost is in doubt, not sent again',
  unnamedIsCreated: 'a request whose answer does not name the card is created, not sent again',
  linkIsNoChange: 'linking a card is not a change to announce: what was announced stays announced',
  heldClaimIsLeftAlone: 'a request that a living process is sending is not in doubt',
  statusIsCompared: 'of two workers that begin to send a request, one succeeds',
  claimIsCompared: 'no worker begins to send under a claim that it has lost',
  leaseIsCheckedBeforeSending: 'the lease is checked again right before the request leaves',
  leaseGapCounts: 'a lease that expired meanwhile counts as lost, even if it was renewed',
  outcomeIsFenced: 'an outcome is recorded only if the request has not been sent again since',
  abandonedJobsAreReclaimed: 'jobs of crashed and frozen replicas are reclaimed',
  jobIsInTheSameCommit: 'a change and its next job are one commit',
  decisionWorksOnce: 'an author’s decision counts only while the request is in doubt',
} as const;

export type Safeguard = keyof typeof SAFEGUARDS;

export type Rules = {
  scope: Scope;
  without?: Safeguard | undefined;
};

export const has = ({ without }: Rules, safeguard: Safeguard): boolean => without !== safeguard;

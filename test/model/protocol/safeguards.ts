import type { Scope } from './state.ts';

/** What keeps the protocol correct. Without any one of them, exploring the model finds a violation. */
export const SAFEGUARDS = {
  sendingIsCommittedFirst: '“sending” is on disk before the request leaves',
  abandonedSendingIsInDoubt: '“sending” without its sender is in doubt, not sent again',
  lostAnswerIsInDoubt: 'a request whose answer was lost is in doubt, not sent again',
  heldClaimIsLeftAlone: 'a request that a living process is sending is not in doubt',
  statusIsCompared: 'of two workers that begin to send a request, one succeeds',
  claimIsCompared: 'nobody begins to send under a claim that was taken back',
  leaseIsCheckedBeforeSending: 'the lease is checked again right before the request leaves',
  leaseGapCounts: 'a lease that ran out meanwhile counts as lost, even if it was renewed',
  outcomeIsFenced: 'an outcome is recorded only if nobody has sent the request since',
  abandonedJobsAreTakenBack: 'jobs of crashed and frozen replicas are taken back',
  jobIsInTheSameCommit: 'a change and the job that follows from it are one commit',
  decisionWorksOnce: 'an author’s decision counts only while the request is in doubt',
  grantIsCompared: 'a grant is written only if nobody changed the budget since it was read',
  lateGrantIsNotUsed: 'a call whose grant counts no more is not sent',
} as const;

export type Safeguard = keyof typeof SAFEGUARDS;

export type Rules = {
  scope: Scope;
  /** The safeguard that is taken out. */
  without?: Safeguard | undefined;
};

export const has = ({ without }: Rules, safeguard: Safeguard): boolean => without !== safeguard;

import type { Happened, TransitionName } from './protocol/transitions.ts';

/** Names in braces are replaced by what happened. */
const WORDS: Record<TransitionName, string> = {
  submit: 'the author sends {request}',
  decide: 'the author decides about {request}: {choice}',
  tellAuthor: 'the author is told about {request}',
  readCard: 'someone opens the card of {request}',
  claimSending: '{worker} claims a job that sends {request}',
  checkRequest: '{worker} checks whether the request can be sent',
  beginSending: '{worker} commits “sending”',
  sendPost: '{worker} sends POST /card: {choice}',
  withholdPost: '{worker} must not send POST /card any more',
  recordOutcome: '{worker} commits what came of it',
  endSending: '{worker} ends its job',
  beginSearch: '{worker} begins to search for the card of {request}',
  search: '{worker} sends GET /tasks and {choice}',
  crash: '{replica} crashes and starts again',
  freeze: '{replica} freezes for longer than its lease',
  renewLease: '{replica} wakes up and renews its lease',
  reclaimJobs: '{replica} reclaims the jobs of dead replicas',
};

export function inWords({ name, ...of }: Happened): string {
  const named = (part: string, value: unknown): unknown => {
    if (part === 'worker') return `worker ${'AB'[Number(value)]}`;
    return part === 'choice' ? value : `${part} ${Number(value) + 1}`;
  };
  return Object.entries(of).reduce(
    (words, [part, value]) => words.replace(`{${part}}`, String(named(part, value))),
    WORDS[name],
  );
}

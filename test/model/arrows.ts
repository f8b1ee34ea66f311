import { explore } from './explore.ts';
import type { Request, Scope } from './protocol/state.ts';

/** All that is on disk about a request, as far as the model has it. */
export type Stored = Pick<Request, 'status' | 'notice' | 'isLinked'> & { hasJob: boolean };

/** Larger ones add no arrow. */
const SCOPE: Scope = { requests: 1, workers: [0, 1], interruptions: 1, resumes: true };

/** What is stored of a request in one commit after another, between any two states that the model visits. */
export function arrowsOfModel(): Set<string> {
  const arrows = new Set<string>();
  explore({ scope: SCOPE }, (from, { next }) => {
    for (const [index, request] of next.requests.entries()) {
      const before = from.requests[index];
      if (before) arrows.add(arrowBetween(storedOf(before), storedOf(request)));
    }
  });
  return arrows;
}

const storedOf = ({ jobs, ...request }: Request): Stored => ({
  ...request,
  hasJob: jobs.length > 0,
});

export const arrowBetween = (before: Stored, after: Stored): string =>
  `${inWords(before)} → ${inWords(after)}`;

function inWords({ status, notice, isLinked, hasJob }: Stored): string {
  // Who searches is not on disk in the same way.
  const due = notice === 'searching' ? 'search' : notice;
  return [status, due, ...(isLinked ? ['linked'] : []), ...(hasJob ? ['to be sent'] : [])].join();
}

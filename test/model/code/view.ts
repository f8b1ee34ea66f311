import { isHeld, isLeased } from '../protocol/changes.ts';
import { DEAD, NOBODY, type Scope, type State } from '../protocol/state.ts';

/** What is compared between the model and the code. */
export type View = {
  requests: {
    status: string;
    cards: number;
    /** Who holds each unfinished job that sends it. */
    jobs: string[];
    hasOwnJob: boolean;
    /** Whether the claim under which it was sent last still holds. */
    isBeingSent: boolean;
    notice: string;
    isLinked: boolean;
  }[];
  workers: State['workers'][number]['step'][];
  leases: boolean[];
  granted: number;
  received: number;
};

export const viewOf = (state: State): View => ({
  requests: state.requests.map(({ status, cards, jobs, hasOwnJob, sentBy, notice, isLinked }) => ({
    ...{ status, cards, hasOwnJob, notice, isLinked, isBeingSent: isHeld(state, sentBy) },
    jobs: jobs.map(({ holder }) => holderOf(holder)).sort(),
  })),
  workers: state.workers.map(({ step }) => step),
  leases: state.leases.map((_, replica) => isLeased(state, replica)),
  granted: state.granted,
  received: state.received,
});

function holderOf(holder: number): string {
  if (holder === NOBODY) return 'free';
  return holder === DEAD ? 'nobody alive' : `replica ${holder}`;
}

/** The differences in words; empty if they agree. */
export function differences(model: View, code: View, { resumes }: Scope): string[] {
  const found: string[] = [];
  const compare = (what: string, one: unknown, other: unknown) => {
    const [inModel, inCode] = [JSON.stringify(one), JSON.stringify(other)];
    if (inModel !== inCode) found.push(`${what}: ${inModel} in the model, ${inCode} in the code`);
  };
  for (const [index, { hasOwnJob, ...request }] of model.requests.entries()) {
    const { hasOwnJob: inCode, ...other } = code.requests[index] ?? {};
    for (const [name, value] of Object.entries(request)) {
      compare(`request ${index + 1}, ${name}`, value, Reflect.get(other, name));
    }
    // It only matters where missing jobs are added.
    const isUnsent = request.status === 'queued' || request.status === 'sending';
    if (resumes && isUnsent) compare(`request ${index + 1}, hasOwnJob`, hasOwnJob, inCode);
  }
  compare('workers', model.workers, code.workers);
  compare('leases', model.leases, code.leases);
  compare('granted', model.granted, code.granted);
  compare('received', model.received, code.received);
  return found;
}

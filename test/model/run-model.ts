import { type Explored, explore } from './explore.ts';
import { SAFEGUARDS, type Safeguard } from './protocol/safeguards.ts';
import type { Scope } from './protocol/state.ts';
import type { Happened } from './protocol/transitions.ts';

type NamedScope = { name: string; scope: Scope };

/** The scopes that `npm test` explores. */
export const QUICK_SCOPES: readonly NamedScope[] = [
  {
    name: 'one request, two replicas, two interruptions, missing jobs added',
    scope: { requests: 1, workers: [0, 1], interruptions: 2, resumes: true },
  },
  {
    name: 'two requests, two replicas, one interruption',
    scope: { requests: 2, workers: [0, 1], interruptions: 1, resumes: false },
  },
];

/** Those that `npm run tool -- crash` explores too. */
const SCOPES: readonly NamedScope[] = [
  ...QUICK_SCOPES,
  {
    name: 'two requests in one process, two crashes, missing jobs added',
    scope: { requests: 2, workers: [0, 0], interruptions: 2, resumes: true },
  },
  {
    name: 'two requests, two replicas, two interruptions',
    scope: { requests: 2, workers: [0, 1], interruptions: 2, resumes: false },
  },
];

/** Large enough to find a violation without any one safeguard. */
export const SCOPE_OF_MUTATIONS: Scope = {
  requests: 1,
  workers: [0, 1],
  interruptions: 2,
  resumes: false,
};

type Options = { isQuick: boolean; print: (line: string) => void };

/** @returns whether the model has no violation, and has one without each safeguard */
export function runModel(options: Options): boolean {
  const holds = exploreScopes(options);
  return exploreMutations(options) && holds;
}

function exploreScopes({ isQuick, print }: Options): boolean {
  let holds = true;
  for (const { name, scope } of isQuick ? QUICK_SCOPES : SCOPES) {
    const { states, steps, seconds, found } = explore({ scope });
    print(`model: ${name}: ${states} states, ${steps} steps, ${seconds.toFixed(1)} s`);
    if (found) printTrace(found, print);
    holds &&= !found;
  }
  return holds;
}

function exploreMutations({ print }: Options): boolean {
  let holds = true;
  for (const safeguard of Object.keys(SAFEGUARDS) as Safeguard[]) {
    const { found, seconds } = explore({ scope: SCOPE_OF_MUTATIONS, without: safeguard });
    print(
      `model without ${safeguard}: ${found?.violation ?? 'NOTHING FOUND'}, ${seconds.toFixed(2)} s`,
    );
    if (found) printTrace(found, print);
    holds &&= found !== undefined;
  }
  return holds;
}

/** Such as `sendPost worker 0 choice done`. */
export const inWords = (happened: Happened): string =>
  Object.entries(happened).flat().slice(1).join(' ');

function printTrace({ violation, trace }: NonNullable<Explored['found']>, print: Options['print']) {
  for (const [index, happened] of trace.entries()) print(`    ${index + 1}. ${inWords(happened)}`);
  print(`    ${violation}`);
}

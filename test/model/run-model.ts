import { explore } from './explore.ts';
import { type Rules, SAFEGUARDS, type Safeguard } from './protocol/safeguards.ts';
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

type Exploration = { name: string; rules: Rules; holds: boolean };

/** @returns whether the model has no violation, and has one without each safeguard */
export function runModel(isQuick: boolean, print: (line: string) => void): boolean {
  const whole = (isQuick ? QUICK_SCOPES : SCOPES).map(
    ({ name, scope }): Exploration => ({ name, rules: { scope }, holds: true }),
  );
  const safeguards = Object.keys(SAFEGUARDS) as Safeguard[];
  const mutated = safeguards.map((without): Exploration => {
    const rules = { scope: SCOPE_OF_MUTATIONS, without };
    return { name: `without ${without}`, rules, holds: false };
  });
  let isAsExpected = true;
  for (const { name, rules, holds } of [...whole, ...mutated]) {
    const { states, steps, seconds, found } = explore(rules);
    const outcome = found?.violation ?? 'no violation';
    print(`model: ${name}: ${outcome}, ${states} states, ${steps} steps, ${seconds.toFixed(1)} s`);
    for (const happened of found?.trace ?? []) print(`    ${inWords(happened)}`);
    isAsExpected &&= holds === (found === undefined);
  }
  return isAsExpected;
}

/** Such as `sendPost worker 0 choice done`. */
export const inWords = (happened: Happened): string =>
  Object.entries(happened).flat().slice(1).join(' ');

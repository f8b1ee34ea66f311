import { type Explored, explore } from './explore.ts';
import { SAFEGUARDS, type Safeguard } from './protocol/safeguards.ts';
import { QUICK_SCOPES, SCOPE_OF_MUTATIONS, SCOPES } from './scopes.ts';
import { inWords } from './words.ts';

type Options = { isQuick: boolean; print: (line: string) => void };

/**
 * Explores the model, and then the model without each safeguard.
 *
 * @returns whether there is no violation, and one without each safeguard
 */
export function runModel(options: Options): boolean {
  const holds = exploreScopes(options);
  return exploreMutations(options) && holds;
}

function exploreScopes({ isQuick, print }: Options): boolean {
  let holds = true;
  for (const { name, scope } of isQuick ? QUICK_SCOPES : SCOPES) {
    const { states, steps, seconds, found } = explore({ scope }, { isReduced: true });
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

function printTrace({ violation, trace }: NonNullable<Explored['found']>, print: Options['print']) {
  for (const [index, happened] of trace.entries()) print(`    ${index + 1}. ${inWords(happened)}`);
  print(`    ${violation}`);
}

import { table, writeSection } from '../crash/page.ts';
import { drawDiagram } from './diagram.ts';
import { type Explored, explore } from './explore.ts';
import { SAFEGUARDS, type Safeguard } from './protocol/safeguards.ts';
import { QUICK_SCOPES, SCOPE_OF_MUTATIONS, SCOPES } from './scopes.ts';
import { inWords } from './words.ts';

type Options = { isQuick: boolean; print: (line: string) => void };

/**
 * Explores the model, and then the model without each safeguard.
 *
 * @param options.writes whether to write the results into docs/
 * @returns whether there is no violation, and one without each safeguard
 */
export async function runModel(options: Options & { writes: boolean }): Promise<boolean> {
  const explored = exploreScopes(options);
  const mutated = exploreMutations(options);
  if (options.writes) {
    await writeSection('states', [drawDiagram()]);
    await writeSection('model', [...explored.lines, '', ...mutated.lines]);
  }
  return explored.holds && mutated.holds;
}

type Report = { holds: boolean; lines: string[] };

function exploreScopes({ isQuick, print }: Options): Report {
  const rows: (string | number)[][] = [];
  let holds = true;
  for (const { name, scope } of isQuick ? QUICK_SCOPES : SCOPES) {
    const { states, steps, seconds, found } = explore({ scope }, { isReduced: true });
    print(`model: ${name}: ${states} states, ${steps} steps, ${seconds.toFixed(1)} s`);
    if (found) printTrace(found, print);
    rows.push([name, states, steps, seconds.toFixed(1), found?.violation ?? 'none']);
    holds &&= !found;
  }
  return { holds, lines: table(['Explored', 'States', 'Steps', 'Seconds', 'Violations'], rows) };
}

function exploreMutations({ print }: Options): Report {
  const rows: (string | number)[][] = [];
  let holds = true;
  for (const safeguard of Object.keys(SAFEGUARDS) as Safeguard[]) {
    const { found, seconds } = explore({ scope: SCOPE_OF_MUTATIONS, without: safeguard });
    print(
      `model without ${safeguard}: ${found?.violation ?? 'NOTHING FOUND'}, ${seconds.toFixed(2)} s`,
    );
    if (found) printTrace(found, print);
    const violation = found?.violation ?? '**nothing**';
    rows.push([SAFEGUARDS[safeguard], violation, found?.trace.length ?? '', seconds.toFixed(2)]);
    holds &&= found !== undefined;
  }
  return { holds, lines: table(['Without', 'Found', 'Steps to it', 'Seconds'], rows) };
}

function printTrace({ violation, trace }: NonNullable<Explored['found']>, print: Options['print']) {
  for (const [index, happened] of trace.entries()) print(`    ${index + 1}. ${inWords(happened)}`);
  print(`    ${violation}`);
}

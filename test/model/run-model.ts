import { drawDiagram } from './diagram.ts';
import { type Explored, explore } from './explore.ts';
import { MODEL, STATES, writeSection } from './page.ts';
import { SAFEGUARDS, type Safeguard } from './protocol/safeguards.ts';
import { SCOPE_OF_MUTATIONS, SCOPES } from './scopes.ts';
import { inWords } from './words.ts';

type Options = { isQuick: boolean; print: (line: string) => void };

/**
 * Visits every state of the model, and then without each safeguard.
 *
 * @param options.writes writes what came of it into docs/reliability.md
 * @returns whether the model keeps its invariants, and breaks one without each safeguard
 */
export async function runModel(options: Options & { writes: boolean }): Promise<boolean> {
  const explored = exploreScopes(options);
  const mutated = exploreMutations(options);
  if (options.writes) {
    await writeSection(STATES, drawDiagram());
    await writeSection(MODEL, [...explored.lines, '', ...mutated.lines].join('\n'));
  }
  return explored.holds && mutated.holds;
}

type Report = { holds: boolean; lines: string[] };

function exploreScopes({ isQuick, print }: Options): Report {
  const lines = ['| Explored | States | Steps | Seconds | Violations |', '|---|---|---|---|---|'];
  let holds = true;
  for (const { name, scope } of SCOPES.filter((one) => one.isQuick || !isQuick)) {
    const { states, steps, seconds, found } = explore({ scope }, { isReduced: true });
    print(`model: ${name}: ${states} states, ${steps} steps, ${seconds.toFixed(1)} s`);
    if (found) printTrace(found, print);
    lines.push(
      `| ${name} | ${inThousands(states)} | ${inThousands(steps)} | ${seconds.toFixed(1)} | ${found?.violation ?? 'none'} |`,
    );
    holds &&= !found;
  }
  return { holds, lines };
}

function exploreMutations({ print }: Options): Report {
  const lines = ['| Without | Found | Steps to it | Seconds |', '|---|---|---|---|'];
  let holds = true;
  for (const safeguard of Object.keys(SAFEGUARDS) as Safeguard[]) {
    const { found, seconds } = explore({ scope: SCOPE_OF_MUTATIONS, without: safeguard });
    print(
      `model without ${safeguard}: ${found?.violation ?? 'NOTHING FOUND'}, ${seconds.toFixed(2)} s`,
    );
    if (found) printTrace(found, print);
    lines.push(
      `| ${SAFEGUARDS[safeguard]} | ${found?.violation ?? '**nothing**'} | ${found?.trace.length ?? ''} | ${seconds.toFixed(2)} |`,
    );
    holds &&= found !== undefined;
  }
  return { holds, lines };
}

function printTrace({ violation, trace }: NonNullable<Explored['found']>, print: Options['print']) {
  for (const [index, happened] of trace.entries()) print(`    ${index + 1}. ${inWords(happened)}`);
  print(`    ${violation}`);
}

const inThousands = (count: number): string => count.toLocaleString('en-US');

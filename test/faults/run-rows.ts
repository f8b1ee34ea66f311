import { aligned } from '../../src/commands/read-arguments.ts';
import { inWords, type Row } from './row.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);

export const listOf = (rows: readonly Row[]): string =>
  aligned(
    rows.map(({ row, title, runs }) => [String(row), title, `${runs.full} runs`]),
    '  ',
  );

/** Runs a row and prints its figures. @returns whether it passed; a row that couldn't be completed fails */
export async function showRow(
  { row, title, mutation, runs, run }: Row,
  options: { seed: number; runs: number | undefined; where: string },
): Promise<boolean> {
  const { seed, runs: asked = runs.full, where } = options;
  print(`\n${row}  ${title} (${where}${asked} runs, seed ${seed})`);
  const started = performance.now();
  const say = (progress: string) => print(`    … ${progress}`);
  const figures = await run({ seed, runs: asked, say }).catch((error: unknown) => {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { counts: {}, measured: { 'ended by': why }, holds: false };
  });
  for (const line of inWords(figures)) print(`    ${line}`);
  print(`    without the safeguard: ${mutation}`);
  const seconds = Math.round((performance.now() - started) / 1_000);
  print(`    ${figures.holds ? 'passed' : 'FAILED'} (${seconds} s)`);
  return figures.holds;
}

import { readFile, writeFile } from 'node:fs/promises';
import { countsInWords, type Figures, measuredInWords } from './figures.ts';

const PAGE = new URL('../../docs/reliability.md', import.meta.url);
const BEGIN = '<!-- figures: written by `npm run test:faults -- --write` -->';
const END = '<!-- end of figures -->';
const HEAD = [
  '| # | Fault | What became of it | Figures | Holds | Without its protection | Repeat with |',
  '|---|---|---|---|---|---|---|',
];
const NEW_PAGE = `# Reliability

Each fault is run against the real app, as a process of its own over real sockets, between stand-ins
that keep a ledger of what they really did. \`npm run test:faults\` runs them all, with another seed each
time; \`npm test\` runs a few of each. The last column repeats a line's run: chance decides the same
again, though not the moments at which processes get their turn.

"Without its protection": the protecting lines were taken out of a copy, and the row was seen to fail.

${BEGIN}
${END}
`;

/**
 * Writes the figures into docs/reliability.md, between its two marks; rows that were not run keep the
 * line that they have.
 */
export async function writeFiguresTable(
  shown: readonly { figures: Figures; runs: number }[],
  seed: number,
): Promise<void> {
  const page = await readFile(PAGE, 'utf8').catch(() => NEW_PAGE);
  const [before, rest] = split(page, BEGIN);
  const [table, after] = split(rest, END);
  const lines = new Map(
    table
      .split('\n')
      .map((line): [number, string] => [Number(/^\| (\d+) \|/.exec(line)?.[1]), line])
      .filter(([row]) => row > 0),
  );
  for (const { figures, runs } of shown) lines.set(figures.row, lineOf(figures, runs, seed));
  const rows = [...lines].sort(([one], [other]) => one - other).map(([, line]) => line);
  await writeFile(
    PAGE,
    [before, BEGIN, '\n\n', [...HEAD, ...rows].join('\n'), '\n\n', END, after].join(''),
  );
}

function lineOf(figures: Figures, runs: number, seed: number): string {
  const { row, title, holds, mutation } = figures;
  const cells = [
    String(row),
    title,
    countsInWords(figures),
    measuredInWords(figures),
    holds ? 'yes' : '**no**',
    mutation,
    `\`--row ${row} --seed ${seed} --runs ${runs}\``,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')).join(' | ')} |`;
}

function split(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`docs/reliability.md has no line ${mark}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

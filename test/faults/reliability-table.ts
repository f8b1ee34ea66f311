import { readFile, writeFile } from 'node:fs/promises';
import { countsAsText, type Figures, measurementsAsText } from './figures.ts';

const PAGE = new URL('../../docs/reliability.md', import.meta.url);
const BEGIN = '<!-- figures: written by `npm run test:faults -- --write` -->';
const END = '<!-- end of figures -->';
/**
 * Writes the results into docs/reliability.md, between its two marks, one section per fault. Sections of faults
 * that weren't run stay as they are.
 */
export async function writeFigures(
  shown: readonly { figures: Figures; runs: number }[],
  seed: number,
): Promise<void> {
  const page = await readFile(PAGE, 'utf8');
  const [before, rest] = split(page, BEGIN);
  const [known, after] = split(rest, END);
  const sections = new Map(
    known
      .split(/^(?=### )/m)
      .map((section): [number, string] => [
        Number(/^### (\d+)\./.exec(section)?.[1]),
        section.trim(),
      ])
      .filter(([row]) => row > 0),
  );
  for (const { figures, runs } of shown) sections.set(figures.row, sectionOf(figures, runs, seed));
  const inOrder = [...sections].sort(([one], [other]) => one - other).map(([, section]) => section);
  await writeFile(PAGE, [before, BEGIN, '\n\n', inOrder.join('\n\n'), '\n\n', END, after].join(''));
}

function sectionOf(figures: Figures, runs: number, seed: number): string {
  const { row, title, holds, mutation } = figures;
  const entries = {
    Requirement: holds ? 'met' : '**missed**',
    Result: countsAsText(figures),
    Measured: measurementsAsText(figures),
    'Without the safeguard': mutation,
    Repeat: `\`npm run test:faults -- --row ${row} --seed ${seed} --runs ${runs}\``,
  };
  const lines = Object.entries(entries).map(
    ([name, text]) => `- **${name}:** ${text.replaceAll(/\s*\n\s*/g, ' ')}`,
  );
  const heading = title.charAt(0).toUpperCase() + title.slice(1);
  return [`### ${row}. ${heading}`, '', ...lines].join('\n');
}

function split(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`docs/reliability.md has no line ${mark}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

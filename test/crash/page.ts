import { readFile, writeFile } from 'node:fs/promises';

/** A part of a page in docs/ that a command writes, between two comments. */
type Section = { page: string; command: string };

const SECTIONS = {
  states: { page: 'reliability.md', command: 'npm run test:crash -- --write' },
  model: { page: 'crash-proof.md', command: 'npm run test:crash -- --write' },
  runs: { page: 'crash-proof.md', command: 'npm run test:crash -- --write' },
  mutations: { page: 'crash-proof.md', command: 'npm run test:mutations -- --write' },
} as const satisfies Record<string, Section>;

export type SectionName = keyof typeof SECTIONS;

const pathOf = (name: SectionName) => new URL(`../../docs/${SECTIONS[name].page}`, import.meta.url);

async function split(name: SectionName): Promise<[string, string, string]> {
  const page = await readFile(pathOf(name), 'utf8');
  const begin = `<!-- ${name}: written by \`${SECTIONS[name].command}\` -->`;
  const end = `<!-- end of ${name} -->`;
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`docs/${SECTIONS[name].page} lacks ${begin}`);
  const content = from + begin.length;
  return [page.slice(0, content), page.slice(content, to).trim(), page.slice(to)];
}

export async function readSection(name: SectionName): Promise<string> {
  return (await split(name))[1];
}

export async function writeSection(name: SectionName, lines: readonly string[]): Promise<void> {
  const [before, , after] = await split(name);
  await writeFile(pathOf(name), `${before}\n\n${lines.join('\n')}\n\n${after}`);
}

/** A Markdown table. */
export function table(
  heads: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string[] {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => (typeof cell === 'number' ? inThousands(cell) : cell)).join(' | ')} |`;
  return [line(heads), `|${heads.map(() => '---|').join('')}`, ...rows.map(line)];
}

const inThousands = (count: number): string => count.toLocaleString('en-US');

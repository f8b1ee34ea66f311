import { readFile, writeFile } from 'node:fs/promises';

const PAGE = new URL('../../docs/reliability.md', import.meta.url);
const BEGIN = '<!-- states: written by `npm run tool -- crash --write` -->';
const END = '<!-- end of states -->';

async function split(): Promise<[before: string, diagram: string, after: string]> {
  const page = await readFile(PAGE, 'utf8');
  const from = page.indexOf(BEGIN) + BEGIN.length;
  const to = page.indexOf(END);
  if (from < BEGIN.length || to < from) throw new Error(`docs/reliability.md lacks ${BEGIN}`);
  return [page.slice(0, from), page.slice(from, to).trim(), page.slice(to)];
}

/** The diagram of states in docs/reliability.md. */
export const readDiagram = async (): Promise<string> => (await split())[1];

export async function writeDiagram(diagram: string): Promise<void> {
  const [before, , after] = await split();
  await writeFile(PAGE, `${before}\n\n${diagram}\n\n${after}`);
}

import { readFile, writeFile } from 'node:fs/promises';

const PAGE = new URL('../../docs/reliability.md', import.meta.url);

type Section = { begin: string; end: string };

export const STATES: Section = {
  begin: '<!-- states: written by `npm run test:crash -- --write` -->',
  end: '<!-- end of states -->',
};
export const MODEL: Section = {
  begin: '<!-- model: written by `npm run test:crash -- --write` -->',
  end: '<!-- end of model -->',
};

function split(page: string, { begin, end }: Section): [string, string, string] {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`docs/reliability.md has no section ${begin}`);
  const content = page.slice(from + begin.length, to).trim();
  return [page.slice(0, from + begin.length), content, page.slice(to)];
}

/** What stands in a generated section of docs/reliability.md. */
export async function readSection(section: Section): Promise<string> {
  return split(await readFile(PAGE, 'utf8'), section)[1];
}

export async function writeSection(section: Section, content: string): Promise<void> {
  const [before, , after] = split(await readFile(PAGE, 'utf8'), section);
  await writeFile(PAGE, `${before}\n\n${content}\n\n${after}`);
}

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const pages = globSync(['*.md', '.github/*.md', 'docs/**/*.md'], { cwd: ROOT });
const textOf = (page: string) =>
  readFileSync(join(ROOT, page), 'utf8').replaceAll(/^```.*?^```/gms, '');

/** As GitHub makes them of headings. */
const sectionsOf = (page: string) =>
  [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

it.each(pages)('%s links only to files and sections that exist', (page) => {
  const links = [...textOf(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
  const broken = links.filter(([, path, section]) => {
    const file = path ? join(dirname(page), path) : page;
    if (!existsSync(join(ROOT, file))) return true;
    return section !== undefined && !sectionsOf(file).includes(section);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

it.each(['src', 'test', 'docs/deploy', '.github'])('%s names only pages that exist', (folder) => {
  const files = globSync(`${folder}/**/*.{ts,tsx,cjs,yml,service,sh}`, { cwd: ROOT });
  const named = files.flatMap((file) => {
    const pagesOf = readFileSync(join(ROOT, file), 'utf8').matchAll(/\bdocs\/[\w/-]+\.md\b/g);
    return [...pagesOf].map(([page]) => ({ file, page }));
  });
  expect(named.filter(({ page }) => !existsSync(join(ROOT, page)))).toEqual([]);
});

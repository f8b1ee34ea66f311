import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Which files each file imports, types included; both relative to `root`. */
export type ImportGraph = Map<string, Set<string>>;

const IMPORT = /(?:\bfrom|\bimport)\s*\(?'(\.[^']+)'/g;

export function importGraph(root: string, files: readonly string[]): ImportGraph {
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const imported = [...text.matchAll(IMPORT)].map(([, to = '']) => join(dirname(file), to));
      return [file, new Set(imported.filter((to) => known.has(to)))];
    }),
  );
}

/** The entries directly inside `folder`, folders and files, and which of them import which. */
export function importsInside(graph: ImportGraph, folder: string) {
  const entryOf = (file: string) => file.slice(folder.length + 1).split('/')[0] ?? '';
  const inside = [...graph].filter(([file]) => file.startsWith(`${folder}/`));
  const imports = new Set<string>();
  for (const [file, imported] of inside) {
    for (const to of imported) {
      if (!to.startsWith(`${folder}/`) || entryOf(to) === entryOf(file)) continue;
      imports.add(`${entryOf(file)} -> ${entryOf(to)}`);
    }
  }
  return { entries: new Set(inside.map(([file]) => entryOf(file))).size, imports: imports.size };
}

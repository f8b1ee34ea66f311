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

/** The folders directly inside `folder` and the arrows between them; a loose file counts as one folder. */
export function arrowsInside(
  graph: ImportGraph,
  folder: string,
): { rooms: number; arrows: number } {
  const roomOf = (file: string) => file.slice(folder.length + 1).split('/')[0] ?? '';
  const inside = [...graph].filter(([file]) => file.startsWith(`${folder}/`));
  const arrows = new Set<string>();
  for (const [file, imported] of inside) {
    for (const to of imported) {
      if (!to.startsWith(`${folder}/`) || roomOf(to) === roomOf(file)) continue;
      arrows.add(`${roomOf(file)} -> ${roomOf(to)}`);
    }
  }
  return { rooms: new Set(inside.map(([file]) => roomOf(file))).size, arrows: arrows.size };
}

/** How many imports lead from one of these files to another: what a reader follows. */
export function hopsBetween(graph: ImportGraph, files: ReadonlySet<string>): number {
  const hops = [...files].map((file) => [...(graph.get(file) ?? [])].filter((to) => files.has(to)));
  return hops.flat().length;
}

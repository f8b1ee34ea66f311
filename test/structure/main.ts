import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readArguments } from '../../src/commands/read-arguments.ts';
import { executedFiles } from './executed-files.ts';

const USAGE = `npm run tool -- structure

Prints how large the source is, how its folders depend on each other, and how many files one request and
one unfurl pass through. Nothing is timed.`;

readArguments(USAGE, {});
const IMPORT = /(?:\bfrom|\bimport)\s*\(?'(\.[^']+)'/g;
const SRC = fileURLToPath(new URL('../../src/', import.meta.url));

const files = globSync('**/*.ts', { cwd: SRC }).sort();
const lines = files
  .map((file) => readFileSync(join(SRC, file), 'utf8').split('\n').length - 1)
  .sort((a, b) => a - b);
const quantile = (share: number) => lines[Math.floor((lines.length - 1) * share)];
const slack = importsInside('slack/');
const executed = await executedFiles(pathToFileURL(SRC).href);

/** The files and folders directly inside a folder, and which of them import which, types included. */
function importsInside(folder: string) {
  const entryOf = (file: string) => file.slice(folder.length).split('/')[0];
  const inside = files.filter((file) => file.startsWith(folder));
  const imports = new Set<string>();
  for (const file of inside) {
    for (const [, to = ''] of readFileSync(join(SRC, file), 'utf8').matchAll(IMPORT)) {
      const imported = join(dirname(file), to);
      if (!inside.includes(imported) || entryOf(imported) === entryOf(file)) continue;
      imports.add(`${entryOf(file)} -> ${entryOf(imported)}`);
    }
  }
  return { entries: new Set(inside.map(entryOf)).size, imports: imports.size };
}

const passed = (ran: ReadonlyMap<string, number>) => {
  const functions = [...ran.values()].reduce((sum, count) => sum + count, 0);
  return `${ran.size} files, ${functions} functions`;
};

const report = {
  src: `${files.length} files, ${lines.reduce((sum, count) => sum + count, 0)} lines`,
  'lines per file': `median ${quantile(0.5)}, p90 ${quantile(0.9)}, most ${quantile(1)}`,
  'src/slack': `${slack.entries} folders and files, ${slack.imports} imports between them`,
  'one request': passed(executed.request),
  'one unfurl': passed(executed.unfurl),
};
const width = Math.max(...Object.keys(report).map((name) => name.length));
for (const [name, figures] of Object.entries(report)) {
  process.stdout.write(`${name.padEnd(width)}  ${figures}\n`);
}
process.exit(0);

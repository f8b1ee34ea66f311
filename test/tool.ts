import { aligned, exitWithUsage } from '../src/commands/read-arguments.ts';

/** What takes minutes, or what only some changes need: its name, its program, and what it does. */
const TOOLS = [
  ['crash', 'crash/main.ts', 'ends the app at every statement and answer; explores the model'],
  ['faults', 'faults/main.ts', 'the real process under kills, bad connections, hostile payloads'],
  ['replicas', 'replicas/main.ts', 'kills, freezes, and restarts of several replicas on Postgres'],
  [
    'mutations',
    'mutations/main.ts',
    'removes each safeguard in turn, and shows which tests notice',
  ],
  ['image', 'image/main.ts', 'the container image: one request on each database'],
  ['alerts', 'monitoring/main.ts', "alerts and the dashboard's queries, with promtool"],
  ['bench', 'bench/main.ts', 'speed and memory next to a bare Bolt app'],
  [
    'structure',
    'structure/main.ts',
    'the size of src, and the files that one request runs through',
  ],
  ['screenshots', 'browser/take-pictures.ts', 'pictures of the docs, or of every surface'],
  ['databases', 'upgrades/main.ts', 'writes the databases on which later versions are tested'],
] as const;

const list = TOOLS.map(([name, , does]) => [name, does]);
const usage = `npm run tool -- NAME [--help]\n\n${aligned(list, '  ')}`;

const [asked = '--help'] = process.argv.splice(2, 1);
const file = TOOLS.find(([name]) => name === asked)?.[1];
if (file !== undefined) await import(new URL(file, import.meta.url).href);
else if (asked === '--help') process.stdout.write(`Usage: ${usage}\n`);
else exitWithUsage(usage, `There is no tool '${asked}'.`);

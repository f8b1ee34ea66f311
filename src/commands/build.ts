import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, statSync } from 'node:fs';
import { glob, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OLDEST_NODE } from '../version.ts';
import { readArguments } from './read-arguments.ts';

const USAGE = `npm run build

Bundles the app and its operator commands into dist/, unless it is there already. A bundle starts several times faster
than a thousand files, and a deployment needs no node_modules.`;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DIST = join(ROOT, 'dist');
const ENTRIES = { main: 'src/main.ts', app: 'src/commands/app.ts' };
/** The newest builds are kept: running apps still load files of the one they were started from, and others may build. */
const BUILDS_KEPT = 5;
/**
 * Bolt imports these for its own receivers and its OAuth pages, which this app doesn't use. Empty modules take their
 * place; if Bolt ever needs one of them to load, the bundle fails to start.
 */
const LEFT_OUT_OF_BOLT = new Set(['express', 'raw-body', '@slack/oauth', '@slack/socket-mode']);
const EMPTY = '\0empty';

readArguments(USAGE, {});
const name = `build-${(await digestOfInputs()).slice(0, 16)}`;
const target = join(DIST, name);
const current = await readFile(join(DIST, 'main.js'), 'utf8').catch(() => '');
if (!current.includes(name) || !existsSync(target)) await publish();

/** Builds beside what is there, then renames, because others may build at the same time, and apps run from there. */
async function publish(): Promise<void> {
  const beside = `${target}.${process.pid}`;
  await bundle(beside);
  // Fails if another process has built the same meanwhile.
  await rename(beside, target).catch(() => undefined);
  for (const entry of Object.keys(ENTRIES)) {
    await writeFile(`${beside}.js`, entryFile(entry));
    await rename(`${beside}.js`, join(DIST, `${entry}.js`));
  }
  const builds = globSync('build-*', { cwd: DIST })
    .map((folder) => join(DIST, folder))
    .filter((folder) => folder !== target)
    .toSorted((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  for (const folder of [beside, ...builds.slice(BUILDS_KEPT - 1)]) {
    await rm(folder, { recursive: true, force: true });
  }
  process.stdout.write('Built dist/.\n');
}

/** Checks Node before any file with newer syntax is read, so it uses only what Node 12 understands. */
function entryFile(entry: string): string {
  return `var needed = '${OLDEST_NODE}', found = process.versions.node;
if (found.localeCompare(needed, 'en', { numeric: true }) < 0) {
  process.stderr.write('Design Request needs Node ' + needed + ' or later, and this is ' + found + '. Install a newer one from https://nodejs.org.\\n');
  process.exit(1);
}
import('./${name}/${entry}.js');
`;
}

/** Modification times won't do: copying a checkout into an image changes them. */
async function digestOfInputs(): Promise<string> {
  const files = ['package.json', 'package-lock.json'];
  for await (const file of glob('src/**/*.ts', { cwd: ROOT })) files.push(file);
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    hash.update(`${file}\n`).update(await readFile(join(ROOT, file)));
  }
  return hash.digest('hex');
}

async function bundle(outDir: string): Promise<void> {
  const launch = fileURLToPath(new URL('launch.cjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [launch, '--tools'], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
  const { build } = await import('vite');
  await build({
    root: ROOT,
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    ssr: { noExternal: true, target: 'node' },
    plugins: [
      {
        name: 'leave-out',
        enforce: 'pre',
        resolveId: (id, importer = '') =>
          LEFT_OUT_OF_BOLT.has(id) && packageOf(importer) === '@slack-bolt' ? EMPTY : null,
        load: (id) => (id === EMPTY ? 'export {};' : null),
      },
    ],
    build: {
      ssr: true,
      outDir,
      target: 'node24',
      sourcemap: true,
      license: { fileName: 'LICENSES.md' },
      rolldownOptions: {
        input: ENTRIES,
        output: {
          // One file per package: V8 keeps most of the memory that parsing one large file took.
          codeSplitting: { groups: [{ name: packageOf, debugName: 'packages' }] },
          // Node shows the line of an error, which shouldn't be the whole file. Takes 1 MB of memory.
          minify: false,
        },
      },
    },
  });
}

function packageOf(path: string): string | null {
  const inside = path.split('/node_modules/').slice(1).at(-1);
  const [scope = '', name] = inside?.split('/') ?? [];
  return inside === undefined ? null : scope.startsWith('@') ? `${scope}-${name}` : scope;
}

import { createHash } from 'node:crypto';
import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from './run-command.ts';

const USAGE = `npm run build [-- --if-stale]

Bundles the app and its operator commands into dist/. A bundle starts several times faster than a thousand
files, and a deployment needs no node_modules.

  --if-stale  only if dist/ is missing or older than src/`;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DIST = join(ROOT, 'dist');
const COMMANDS = ['migrate', 'backup', 'restore', 'keys-rotate', 'move', 'doctor', 'jobs'];
/** Stores the digest of the sources of the current bundle. */
const STAMP = join(DIST, 'built-from.txt');
/**
 * Bolt imports these for its own receivers and its OAuth pages, which this app doesn't use. Empty modules take their
 * place; if Bolt ever needs one of them to load, the bundle fails to start.
 */
const LEFT_OUT_OF_BOLT = new Set(['express', 'raw-body', '@slack/oauth', '@slack/socket-mode']);
const EMPTY = '\0empty';

const { values: options } = readArguments(USAGE, { 'if-stale': { type: 'boolean' } });
const digest = await digestOfInputs();
if (!options['if-stale'] || digest !== (await readFile(STAMP, 'utf8').catch(() => ''))) {
  await bundle();
  await writeFile(STAMP, digest);
}

/** Modification times won't do: copying a checkout into an image changes them. */
async function digestOfInputs(): Promise<string> {
  const files = ['package-lock.json'];
  for await (const file of glob('src/**/*.ts', { cwd: ROOT })) files.push(file);
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    hash.update(`${file}\n`).update(await readFile(join(ROOT, file)));
  }
  return hash.digest('hex');
}

async function bundle(): Promise<void> {
  const { build } = await import('vite').catch(() => {
    process.stderr.write(
      'dist/ is missing or older than src/, and building needs the dev dependencies. Run: npm ci && npm run build\n',
    );
    process.exit(1);
  });
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
      {
        name: 'ascii',
        generateBundle: (_options, bundle) => Object.values(bundle).forEach(inAscii),
      },
    ],
    build: {
      ssr: true,
      outDir: DIST,
      target: 'node24',
      sourcemap: true,
      license: { fileName: 'LICENSES.md' },
      rolldownOptions: {
        input: {
          main: 'src/main.ts',
          ...Object.fromEntries(COMMANDS.map((name) => [name, `src/commands/${name}.ts`])),
        },
        output: {
          // One file per package: V8 keeps most of the memory that parsing one large file took.
          codeSplitting: { groups: [{ name: packageOf, debugName: 'packages' }] },
          // Names stay, for stack traces.
          minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
        },
      },
    },
  });
  process.stdout.write('Built dist/.\n');
}

function packageOf(path: string): string | null {
  const inside = path.split('/node_modules/').slice(1).at(-1);
  const [scope = '', name] = inside?.split('/') ?? [];
  return inside === undefined ? null : scope.startsWith('@') ? `${scope}-${name}` : scope;
}

/** Node keeps a file's text in memory, in two bytes per character unless all of it is ASCII. */
function inAscii(output: { type: string; code?: string }): void {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  if (output.code !== undefined) output.code = output.code.replace(/[\u0080-\uffff]/g, escaped);
}

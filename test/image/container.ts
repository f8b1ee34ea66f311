import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { isObject, parseJson } from '../stand-ins/slack/json.ts';

/** A program in PATH. */
const DOCKER = 'docker';
const MOST_OUTPUT_BYTES = 10_000_000;
const ASK_AGAIN_MS = 5;
const WITHIN_MS = 30_000;
/** A hundredth of a second on every Linux (sysconf(_SC_CLK_TCK)). */
const TICK_MS = 10;

/** @returns what `docker …` prints on standard output, trimmed */
export async function docker(args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(DOCKER, args, { maxBuffer: MOST_OUTPUT_BYTES });
  return stdout.trim();
}

const created: string[] = [];

export async function removeContainers(): Promise<void> {
  for (const id of created.splice(0)) await docker(['rm', '--force', id]);
}

/**
 * Starts the app on the network of this machine, as the image's user, with a read-only file system.
 *
 * @param volume what is mounted at /data
 */
export async function startContainer(image: string, env: Record<string, string>, volume?: string) {
  const limits = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
  const settings = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const id = await docker([
    ...['create', '--network', 'host', '--health-interval', '1s', ...limits, ...settings],
    ...(volume === undefined ? [] : ['--volume', `${volume}:/data`]),
    image,
  ]);
  created.push(id);
  await docker(['start', id]);
  const inspect = (what: string) => docker(['inspect', '--format', `{{${what}}}`, id]);
  return {
    /** When its process started, in ms since 1970. */
    startedAt: Date.parse(await inspect('.State.StartedAt')),
    /** The processor time that it has used so far, in ms. */
    async cpuMs() {
      const stat = await readFile(`/proc/${await inspect('.State.Pid')}/stat`, 'utf8');
      // proc_pid_stat(5): utime and stime are the 14th and 15th field; the 2nd is in parentheses and may have spaces.
      const [user = 0, system = 0] =
        stat.split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? [];
      return (user + system) * TICK_MS;
    },
    async log() {
      const lines = (await docker(['logs', id])).split('\n');
      return lines.map(parseJson).filter((line) => isObject(line));
    },
    exec: (...command: string[]) => docker(['exec', id, ...command]),
    /** Resolves when Docker's health check passes. */
    healthy: () => until(async () => (await inspect('.State.Health.Status')) === 'healthy'),
    /** SIGTERM. @returns the exit code */
    async stop() {
      await docker(['stop', id]);
      return Number(await inspect('.State.ExitCode'));
    },
  };
}

/** @throws if it doesn't become true within half a minute */
export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + WITHIN_MS;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`Not within ${WITHIN_MS} ms: ${isTrue}`);
    await sleep(ASK_AGAIN_MS);
  }
}

/** The sizes of the image in bytes: unpacked, of the layers that we add to the base, and gzipped as in a registry. */
export async function sizesOf(
  image: string,
): Promise<{ all: number; node: number; app: number; gzipped: number }> {
  const format = '{{.Size}} {{.CreatedBy}}';
  const history = await docker([
    'history',
    '--human=false',
    '--no-trunc',
    '--format',
    format,
    image,
  ]);
  const sizeOf = (pattern: RegExp) =>
    history
      .split('\n')
      .filter((line) => pattern.test(line))
      .reduce((sum, line) => sum + Number.parseInt(line, 10), 0);
  return {
    all: Number(await docker(['image', 'inspect', '--format', '{{.Size}}', image])),
    node: sizeOf(/COPY \/usr\/local\/bin\/node/),
    app: sizeOf(/COPY (?!\/usr\/local\/bin\/node)/),
    gzipped: await gzippedSizeOf(image),
  };
}

async function gzippedSizeOf(image: string): Promise<number> {
  const { stdout } = spawn(DOCKER, ['save', image], { stdio: ['ignore', 'pipe', 'inherit'] });
  let bytes = 0;
  for await (const chunk of stdout.pipe(createGzip())) bytes += chunk.length;
  return bytes;
}

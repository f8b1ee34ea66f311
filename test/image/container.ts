import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isObject, parseJson } from '../stand-ins/slack/json.ts';

const DOCKER = 'docker';
const MOST_OUTPUT_BYTES = 10_000_000;
const ASK_AGAIN_MS = 5;
const WITHIN_MS = 30_000;

/** @returns what `docker …` prints on standard output, trimmed */
export async function docker(args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(DOCKER, args, { maxBuffer: MOST_OUTPUT_BYTES });
  return stdout.trim();
}

const created: string[] = [];

export async function removeContainers(): Promise<void> {
  for (const id of created.splice(0)) await docker(['rm', '--force', id]);
}

/** On this machine's network, as the image's user, read-only. @param volume what is mounted at /data */
export async function startContainer(image: string, env: Record<string, string>, volume?: string) {
  const limits = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
  const settings = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const id = await docker([
    'create',
    '--network',
    'host',
    '--health-interval',
    '1s',
    ...limits,
    ...settings,
    ...(volume === undefined ? [] : ['--volume', `${volume}:/data`]),
    image,
  ]);
  created.push(id);
  await docker(['start', id]);
  const inspect = (what: string) => docker(['inspect', '--format', `{{${what}}}`, id]);
  return {
    async log() {
      const lines = (await docker(['logs', id])).split('\n');
      return lines.map(parseJson).filter((line) => isObject(line));
    },
    exec: (...command: string[]) => docker(['exec', id, ...command]),
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

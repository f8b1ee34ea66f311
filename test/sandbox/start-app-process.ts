import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isObject, parseJson } from '../stand-ins/slack/json.ts';

/** The app as a separate process. */
export type AppProcess = {
  /** Where it listens, without a trailing slash. */
  url: string;
  /** Its latest output, oldest first; live. */
  logLines: readonly string[];
  /** Resolves when it has ended for any reason, and says how. */
  ended: Promise<string>;
  /** Freezes it, like an app that hangs, until `resume`. Not on Windows. */
  freeze(): void;
  resume(): void;
  /** Asks it to end and resolves when it has. */
  stop(): Promise<void>;
};

/** The app did not become ready; it has ended. */
export class AppNotReadyError extends Error {
  readonly logLines: readonly string[];
  constructor(reason: string, logLines: readonly string[]) {
    super(`The app did not start: ${reason}.`);
    this.name = 'AppNotReadyError';
    this.logLines = logLines;
  }
}

const ENTRY = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const READY_WITHIN_MS = 60_000;
const ASK_AGAIN_MS = 50;
/** The app ends within 10 s of being asked; after this time it is killed. */
const STOP_WITHIN_MS = 12_000;
const KEPT_LOG_LINES = 50;

/**
 * Starts the app with these environment variables and no others, and waits for its `/readyz`.
 *
 * @param options.entry `src/main.ts` by default
 * @param options.signal ends the wait and the process
 * @throws AppNotReadyError if it ends or is not ready in time
 */
export async function startAppProcess(
  env: Record<string, string>,
  options: { entry?: string; signal?: AbortSignal } = {},
): Promise<AppProcess> {
  const { entry = ENTRY } = options;
  const child = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const logLines: string[] = [];
  const ended = endOf(child);
  const stop = () => end(child, ended);
  const listening = readLog(child, logLines);

  const limits = [AbortSignal.timeout(READY_WITHIN_MS), options.signal];
  const signal = AbortSignal.any(limits.filter((limit) => limit !== undefined));
  try {
    const url = await Promise.race([
      listening.then((address) => ready(address, signal)),
      ended.then((how) => Promise.reject(new Error(how))),
      aborted(signal),
    ]);
    const freeze = () => void child.kill('SIGSTOP');
    const resume = () => void child.kill('SIGCONT');
    return { url, logLines, ended, freeze, resume, stop };
  } catch (error) {
    await stop();
    const late = `it was not ready within ${READY_WITHIN_MS / 1_000} s; this machine may be busy`;
    const why = signal.aborted ? late : String(messageOf(error));
    const reason = options.signal?.aborted ? 'it was stopped before' : why;
    throw new AppNotReadyError(reason, logLines);
  }
}

/** Keeps the last lines of both streams; resolves to the URL in the `ready` line. */
function readLog(child: ChildProcess, logLines: string[]): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      logLines.push(line);
      if (logLines.length > KEPT_LOG_LINES) logLines.shift();
      const entry = parseJson(line);
      if (isObject(entry) && entry.msg === 'ready' && typeof entry.url === 'string') {
        resolve(entry.url);
      }
    });
  }
  return promise;
}

async function ready(url: string, signal: AbortSignal): Promise<string> {
  while (!signal.aborted) {
    const answer = await fetch(`${url}/readyz`, { signal }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return url;
    await setTimeout(ASK_AGAIN_MS, undefined, { signal });
  }
  return url;
}

async function aborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}

async function endOf(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = await once(child, 'close');
    return signal ? `it was ended by ${signal}` : `it ended with exit code ${code}`;
  } catch (error) {
    return `it could not be run (${messageOf(error)})`;
  }
}

async function end(child: ChildProcess, ended: Promise<string>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  // A frozen process doesn't receive the signal.
  if (process.platform !== 'win32') child.kill('SIGCONT');
  child.kill('SIGTERM');
  const waiting = new AbortController();
  await Promise.race([
    ended,
    setTimeout(STOP_WITHIN_MS, undefined, { signal: waiting.signal }).catch(() => undefined),
  ]);
  waiting.abort();
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  await ended;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : error);

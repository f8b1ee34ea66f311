import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { launchApp } from '../faults/app-process.ts';

export type AppProcess = Awaited<ReturnType<typeof startAppProcess>>;

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
 * Throws AppNotReadyError if it ends or is not ready in time. `signal` ends the wait and the process.
 */
export async function startAppProcess(
  env: Record<string, string>,
  options: { entry?: string; signal?: AbortSignal } = {},
) {
  const { entry = ENTRY } = options;
  const app = launchApp({ env, entry, isCompiled: true, keptLogLines: KEPT_LOG_LINES });
  const { logLines } = app;
  const ended = app.ended.then(
    ({ code, signal }) =>
      signal ? `it was ended by ${signal}` : `it ended with exit code ${code}`,
    (error: unknown) => `it could not be run (${messageOf(error)})`,
  );
  const send = (signal: 'SIGSTOP' | 'SIGCONT') => {
    if (!app.hasEnded()) process.kill(app.pid, signal);
  };
  const resume = () => send('SIGCONT');

  async function stop(): Promise<void> {
    if (app.hasEnded()) return;
    // A frozen process doesn't receive the signal.
    if (process.platform !== 'win32') resume();
    const waiting = new AbortController();
    const isLate = setTimeout(STOP_WITHIN_MS, undefined, { signal: waiting.signal });
    await Promise.race([app.stop(), isLate.catch(() => undefined)]);
    waiting.abort();
    if (!app.hasEnded()) await app.kill();
  }

  const limits = [AbortSignal.timeout(READY_WITHIN_MS), options.signal];
  const signal = AbortSignal.any(limits.filter((limit) => limit !== undefined));
  try {
    const url = await Promise.race([
      app.ready.then((address) => untilReady(address, signal), never),
      ended.then((how) => Promise.reject(new Error(how))),
      aborted(signal),
    ]);
    return {
      /** Where it listens, without a trailing slash. */
      url,
      /** Its latest output, oldest first; live. */
      logLines,
      /** Resolves when it has ended for any reason, and says how. */
      ended,
      /** Freezes it, like an app that hangs, until `resume`. Not on Windows. */
      freeze: () => send('SIGSTOP'),
      resume,
      setClockOffset: app.setClockOffset,
      /** Asks it to end and resolves when it has. */
      stop,
    };
  } catch (error) {
    await stop().catch(() => undefined);
    const late = `it was not ready within ${READY_WITHIN_MS / 1_000} s; this machine may be busy`;
    const why = signal.aborted ? late : String(messageOf(error));
    const reason = options.signal?.aborted ? 'it was stopped before' : why;
    throw new AppNotReadyError(reason, logLines);
  }
}

/** Why it ended before it was ready is known by then. */
const never = () => new Promise<never>(() => undefined);

async function untilReady(url: string, signal: AbortSignal): Promise<string> {
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

const messageOf = (error: unknown) => (error instanceof Error ? error.message : error);

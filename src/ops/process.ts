import type { Log } from './logging.ts';
import { OperatorError } from './operator-error.ts';

export type Running = { log: Log; stop(): Promise<void> };

/** In ms. Docker kills a process 10 s after SIGTERM; the next start continues unfinished work. */
const STOP_WITHIN_MS = 8_000;

/**
 * Starts a program, waits for SIGTERM, SIGINT, or SIGHUP, and stops it. Errors at start end it with exit code
 * 1; those that an operator can fix show only their message.
 */
export async function runProcess(start: () => Promise<Running>, { endsWithParent = false } = {}) {
  const { promise: asked, resolve: ask } = Promise.withResolvers<string>();
  let running: Running | undefined;
  // Before the start has finished, there is no work to complete.
  const onSignal = (signal: string) => (running ? ask(signal) : process.exit(0));
  // Platforms may repeat SIGTERM; a second Ctrl-C comes from a person who doesn't want to wait.
  process.on('SIGTERM', onSignal).on('SIGHUP', onSignal).on('SIGINT', onFirst(onSignal));
  if (endsWithParent) whenParentEnds(() => onSignal('end of the parent process'));
  process.on('uncaughtException', exitWithError).on('unhandledRejection', exitWithError);
  try {
    running = await start();
    stopOnUnhandledErrors(running);
    const signal = await asked;
    const { log } = running;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.warn('stopped with unfinished work, which the next start will continue');
      process.exit(0);
    }, STOP_WITHIN_MS);
    await running.stop();
    log.info('stopped');
    process.exit(0);
  } catch (error) {
    exitWithError(error);
  }
}

/** The terminal and npm both send SIGINT at Ctrl-C. Two within this time count as one, in ms. */
const SAME_CTRL_C_MS = 1_000;

/** Handles the first SIGINT, and exits at the next one. */
function onFirst(handle: (signal: string) => void): (signal: string) => void {
  let firstAt: number | undefined;
  return (signal) => {
    if (firstAt === undefined) handle(signal);
    else if (performance.now() - firstAt > SAME_CTRL_C_MS) process.exit(INTERRUPTED);
    firstAt ??= performance.now();
  };
}

/** The exit code that shells report after Ctrl-C. */
const INTERRUPTED = 130;

const PARENT_CHECK_MS = 250;

/** Calls back when the parent process has ended. Needed for npm, which ends on SIGHUP without passing it on. */
export function whenParentEnds(callBack: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callBack();
  }, PARENT_CHECK_MS).unref();
}

/** Prints only message and stack: Node would print what libraries attach, such as headers. */
function exitWithError(error: unknown): void {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

/** How long running work may take after an unhandled error, in ms. */
const STOP_AFTER_ERROR_MS = 3_000;

/** After an unhandled error the process can't trust its state, so it stops and leaves the restart to the platform. */
function stopOnUnhandledErrors({ log, stop }: Running): void {
  let isStopping = false;
  const onError = (error: unknown) => {
    log.fatal({ err: error }, 'unhandled error');
    if (isStopping) process.exit(1);
    isStopping = true;
    setTimeout(() => process.exit(1), STOP_AFTER_ERROR_MS);
    void stop().finally(() => process.exit(1));
  };
  process.off('uncaughtException', exitWithError).off('unhandledRejection', exitWithError);
  process.on('uncaughtException', onError).on('unhandledRejection', onError);
}

function explain(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const { code, syscall }: NodeJS.ErrnoException = error;
  if (code === 'EADDRINUSE' && 'port' in error) {
    return `${portInUse(Number(error.port))} Stop it, or set PORT to a free port.`;
  }
  const isListening = syscall === 'listen' || syscall === 'getaddrinfo';
  return (isListening && code && LISTEN_ERRORS.get(code)) || (error.stack ?? error.message);
}

const WRONG_HOST = "HOST isn't an address of this machine. Set it to 0.0.0.0 or 127.0.0.1.";

const LISTEN_ERRORS = new Map([
  ['EACCES', 'This process may not listen on that port. Set PORT to one above 1023.'],
  ['EADDRNOTAVAIL', WRONG_HOST],
  ['ENOTFOUND', WRONG_HOST],
]);

export const portInUse = (port: number): string =>
  `Port ${port} is in use; \`lsof -nP -iTCP:${port} -sTCP:LISTEN\` shows by which process.`;

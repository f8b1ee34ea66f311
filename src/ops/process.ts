import type { Log } from './logging.ts';
import { OperatorError } from './operator-error.ts';

/** Something that runs until it is told to stop. */
export type Running = { log: Log; stop(): Promise<void> };

/**
 * Platforms kill a process some time after they asked it to end, Docker after 10 s. What is still under
 * way after this is left to the next start, which finds it on disk; in ms.
 */
const STOP_WITHIN_MS = 8_000;

/**
 * Runs a program as a process: starts it, waits for SIGTERM, SIGINT, or SIGHUP, and stops it. What an operator
 * can fix is said in words and ends with exit code 1, without a stack trace.
 *
 * @param options.endsWithParent whether it also stops once the process that started it is gone
 */
export async function runProcess(
  start: () => Promise<Running>,
  { endsWithParent = false } = {},
): Promise<void> {
  const { promise: asked, resolve: ask } = Promise.withResolvers<string>();
  let running: Running | undefined;
  // Until it has started, nothing is under way that would have to end well.
  const onSignal = (signal: string) => (running ? ask(signal) : process.exit(0));
  // A platform may ask more than once; a second Ctrl-C is somebody who does not want to wait.
  process.on('SIGTERM', onSignal).on('SIGHUP', onSignal).on('SIGINT', onFirst(onSignal));
  if (endsWithParent) whenParentEnds(() => onSignal('the end of its parent'));
  process.on('uncaughtException', giveUp).on('unhandledRejection', giveUp);
  try {
    running = await start();
    handleTheUnforeseen(running);
    const signal = await asked;
    const { log } = running;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.warn('stopped while work was under way; the next start takes it up');
      process.exit(0);
    }, STOP_WITHIN_MS);
    await running.stop();
    log.info('stopped');
    process.exit(0);
  } catch (error) {
    giveUp(error);
  }
}

/**
 * npm passes Ctrl-C on to a process that the terminal has told already: two SIGINTs within this time are one,
 * in ms.
 */
const SAME_CTRL_C_MS = 1_000;

/** Handles the first SIGINT, and ends the process at the next one. */
function onFirst(handle: (signal: string) => void): (signal: string) => void {
  let firstAt: number | undefined;
  return (signal) => {
    if (firstAt === undefined) handle(signal);
    else if (performance.now() - firstAt > SAME_CTRL_C_MS) process.exit(INTERRUPTED);
    firstAt ??= performance.now();
  };
}

/** What shells report for a command that was ended by Ctrl-C. */
const INTERRUPTED = 130;

/** How often a process looks whether its parent is still there, in ms. */
const LOOK_FOR_PARENT_MS = 250;

/** Calls back once the process that started this one is gone. npm ends on SIGHUP without passing it on. */
export function whenParentEnds(callBack: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callBack();
  }, LOOK_FOR_PARENT_MS).unref();
}

/**
 * While there is no log, an error is told by its words and stack alone: Node would also print what
 * libraries hang on theirs, a request's headers for example, and with them a secret.
 */
function giveUp(error: unknown): void {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

/** What is under way has this long to end after an error that nobody handled, in ms. */
const END_WITHIN_MS = 3_000;

/**
 * After an error that nobody handled, the process's state is not known: what is under way may end,
 * nothing new begins, and the process ends, to be started anew.
 */
function handleTheUnforeseen({ log, stop }: Running): void {
  let isEnding = false;
  const end = (error: unknown) => {
    log.fatal({ err: error }, 'an error that nobody handled');
    if (isEnding) process.exit(1);
    isEnding = true;
    setTimeout(() => process.exit(1), END_WITHIN_MS);
    void stop().finally(() => process.exit(1));
  };
  process.off('uncaughtException', giveUp).off('unhandledRejection', giveUp);
  process.on('uncaughtException', end).on('unhandledRejection', end);
}

function explain(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const { code, syscall }: NodeJS.ErrnoException = error;
  const isListening = syscall === 'listen' || syscall === 'getaddrinfo';
  return (isListening && code && LISTEN_ERRORS.get(code)) || (error.stack ?? error.message);
}

/** Why a port could not be had. */
const LISTEN_ERRORS = new Map([
  [
    'EADDRINUSE',
    'The port is taken by another process. Set PORT to a free one, or stop that process.',
  ],
  ['EACCES', 'This process may not listen on that port. Set PORT to one above 1023.'],
  ['EADDRNOTAVAIL', 'HOST is no address of this machine. Set it to 0.0.0.0 or 127.0.0.1.'],
  ['ENOTFOUND', 'HOST is no address of this machine. Set it to 0.0.0.0 or 127.0.0.1.'],
]);

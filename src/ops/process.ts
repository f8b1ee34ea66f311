import { ConfigError } from '../config.ts';
import { BotTokenError } from '../slack/workspace-identity.ts';
import { DatabaseError } from '../store/database.ts';
import type { Log } from './logging.ts';

/** Something that runs until it is told to stop. */
export type Running = { log: Log; stop(): Promise<void> };

/** A platform kills a process some time after it asked it to end; what is left after this is cut off. In ms. */
const STOP_WITHIN_MS = 10_000;

/**
 * Runs a program as a process: starts it, waits for SIGTERM or SIGINT, and stops it. What an operator
 * can mend is said in words and ends with exit code 1, without a stack trace.
 */
export async function runProcess(start: () => Promise<Running>): Promise<void> {
  const { promise: asked, resolve: ask } = Promise.withResolvers<string>();
  let running: Running | undefined;
  // Until it has started, nothing is under way that would have to end well.
  const onSignal = (signal: string) => (running ? ask(signal) : process.exit(0));
  process.once('SIGTERM', onSignal).once('SIGINT', onSignal);
  try {
    running = await start();
    handleTheUnforeseen(running.log);
    const signal = await asked;
    running.log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    await running.stop();
    running.log.info('stopped');
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
}

/** After an error that nobody handled, the process's state is not known: it ends, and is started anew. */
function handleTheUnforeseen(log: Log): void {
  const end = (error: unknown) => {
    log.fatal({ err: error }, 'an error that nobody handled');
    process.exit(1);
  };
  process.on('uncaughtException', end).on('unhandledRejection', end);
}

function explain(error: unknown): string {
  if (
    error instanceof ConfigError ||
    error instanceof DatabaseError ||
    error instanceof BotTokenError
  ) {
    return error.message;
  }
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return 'The port is taken by another process. Set PORT to a free one, or stop that process.';
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

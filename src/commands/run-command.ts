import { OperatorError } from '../ops/operator-error.ts';

/** Runs an operator command. Whatever an operator can fix ends it with a message and exit code 1, without a stack trace. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

/** Ends a command that was called with wrong arguments. */
export function exitWithUsage(usage: string): never {
  process.stderr.write(`Usage: ${usage}\n`);
  process.exit(2);
}

/** The command's only argument, a file name. */
export function fileArgument(usage: string): string {
  const [file, ...rest] = process.argv.slice(2);
  if (!file || file.startsWith('-') || rest.length > 0) exitWithUsage(usage);
  return file;
}

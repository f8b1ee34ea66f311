import { type ParseArgsConfig, parseArgs } from 'node:util';
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

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * What a command was called with. Prints the usage and ends the process for `--help`, and for what it doesn't take.
 *
 * @param most how many arguments it takes besides options
 */
export function readArguments<const T extends Options>(
  usage: string,
  options: T,
  { most = 0 } = {},
) {
  if (process.argv.slice(2).some((argument) => ['--help', '-h'].includes(argument))) {
    process.stdout.write(`Usage: ${usage}\n`);
    process.exit(0);
  }
  const parsed = parseOrExit(usage, options);
  const surplus = parsed.positionals[most];
  if (surplus !== undefined) exitWithUsage(usage, `Unexpected argument '${surplus}'.`);
  return parsed;
}

function parseOrExit<const T extends Options>(usage: string, options: T) {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    // The first sentence names the option; the rest explains a syntax that isn't used here.
    const [sentence = ''] = (error instanceof Error ? error.message : '').split(/\.\s/);
    return exitWithUsage(usage, `${sentence.replace(/\.$/, '')}.`);
  }
}

/** Ends a command that was called with wrong arguments. */
export function exitWithUsage(usage: string, problem: string): never {
  process.stderr.write(`${problem}\n\nUsage: ${usage}\n`);
  process.exit(2);
}

/** The command's only argument, a file name. */
export function fileArgument(usage: string): string {
  const [file] = readArguments(usage, {}, { most: 1 }).positionals;
  return file || exitWithUsage(usage, 'The file is missing.');
}

import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Wrong arguments: the message is printed with the usage. */
export class UsageError extends Error {}

export type Options = NonNullable<ParseArgsConfig['options']>;
export type Arguments<T extends Options> = ReturnType<
  typeof parseArgs<{ options: T; allowPositionals: true }>
>;

export const asksForHelp = (args: readonly string[]): boolean =>
  args.some((argument) => ['--help', '-h'].includes(argument));

/** What a program was called with. For `--help` and for wrong arguments, prints the usage and ends the process. */
export function readArguments<const T extends Options>(usage: string, options: T): Arguments<T> {
  const args = process.argv.slice(2);
  if (asksForHelp(args)) {
    process.stdout.write(`Usage: ${usage}\n`);
    process.exit(0);
  }
  try {
    return parseArguments(options, args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return exitWithUsage(usage, error.message);
  }
}

/** @param most how many arguments there may be besides options */
export function parseArguments<const T extends Options>(
  options: T,
  args: string[],
  most = 0,
): Arguments<T> {
  const parsed = parsedOf(options, args);
  const surplus = parsed.positionals[most];
  if (surplus !== undefined) throw new UsageError(`Unexpected argument '${surplus}'.`);
  return parsed;
}

function parsedOf<const T extends Options>(options: T, args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    // The first sentence names the option; the rest explains a syntax that isn't used here.
    const [sentence = ''] = (error instanceof Error ? error.message : '').split(/\.\s/);
    throw new UsageError(`${sentence.replace(/\.$/, '')}.`);
  }
}

export function aligned(rows: readonly (readonly string[])[], indent = ''): string {
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join('  ');
  return rows.map((row) => `${indent}${line(row)}`.trimEnd()).join('\n');
}

export function exitWithUsage(usage: string, problem: string): never {
  process.stderr.write(`${problem}\n\nUsage: ${usage}\n`);
  process.exit(2);
}

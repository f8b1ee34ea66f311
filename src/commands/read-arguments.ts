import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Wrong arguments: the message is printed with the usage. */
export class UsageError extends Error {}

export type Options = NonNullable<ParseArgsConfig['options']>;
export type Arguments<T extends Options> = ReturnType<
  typeof parseArgs<{ options: T; allowPositionals: true }>
>;

/**
 * What a program was called with. For `--help` and for wrong arguments, prints the usage and ends the process.
 *
 * @param more.most how many arguments it takes besides options
 */
export function readArguments<const T extends Options>(
  usage: string,
  options: T,
  { most = 0, args = process.argv.slice(2) } = {},
): Arguments<T> {
  if (args.some((argument) => ['--help', '-h'].includes(argument))) {
    process.stdout.write(`Usage: ${usage}\n`);
    process.exit(0);
  }
  const parsed = parseOrExit(usage, options, args);
  const surplus = parsed.positionals[most];
  if (surplus !== undefined) exitWithUsage(usage, `Unexpected argument '${surplus}'.`);
  return parsed;
}

function parseOrExit<const T extends Options>(usage: string, options: T, args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    // The first sentence names the option; the rest explains a syntax that isn't used here.
    const [sentence = ''] = (error instanceof Error ? error.message : '').split(/\.\s/);
    return exitWithUsage(usage, `${sentence.replace(/\.$/, '')}.`);
  }
}

/** The lines of a table with aligned columns. */
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

import { exitWithUsage } from '../src/commands/run-command.ts';

/**
 * What was named on a command line.
 *
 * @param names separated by commas; undefined for all
 * @returns in the order of `all`; a name that there isn't ends the process
 */
export function choose<Named>(
  usage: string,
  names: string | undefined,
  all: readonly Named[],
  nameOf: (one: Named) => string,
): readonly Named[] {
  if (names === undefined) return all;
  const wanted = names.split(',');
  const known = all.map(nameOf);
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    exitWithUsage(usage, `There is no “${unknown}”, only: ${known.join(', ')}.`);
  }
  return all.filter((one) => wanted.includes(nameOf(one)));
}

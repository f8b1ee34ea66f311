import { exitWithUsage } from '../src/commands/read-arguments.ts';

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

/**
 * A number that was given on a command line.
 *
 * @param given by the name of its option
 * @returns undefined if it wasn't given; anything but a whole number ends the process
 */
export function wholeNumber(
  usage: string,
  given: Readonly<Record<string, unknown>>,
  option: string,
  { least = 0, most = Number.MAX_SAFE_INTEGER } = {},
): number | undefined {
  const text = given[option];
  if (typeof text !== 'string') return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  const range = `a whole number from ${least} to ${most}`;
  return exitWithUsage(usage, `--${option} must be ${range}, not “${text}”.`);
}

/** Below the numbers of other kinds of crash runs, which a larger one would repeat instead. */
const LARGEST_SEED = 1_000_000;

/** The seed that was given, or a new one. */
export const seedOf = (usage: string, given: Readonly<Record<string, unknown>>): number =>
  wholeNumber(usage, given, 'seed', { most: LARGEST_SEED }) ??
  Math.floor(Math.random() * LARGEST_SEED);

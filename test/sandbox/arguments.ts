import { parseArgs } from 'node:util';

export type SandboxArguments =
  | { kind: 'run'; exitAfterWalk: boolean }
  | { kind: 'help' }
  /** What can't be done, in words. */
  | { kind: 'refused'; problem: string };

export const USAGE = `Usage: npm run sandbox [-- --exit]

  Runs Design Request between a stand-in Slack and a stand-in design service,
  walks through the main job once, and stays up until Ctrl-C, with a page in the
  browser in which the app can be used.

  --exit   end after the walk, without the pages
  --help   say this`;

/**
 * Reads the command line of `npm run sandbox`.
 *
 * @param given the arguments after the script's name
 */
export function readSandboxArguments(given: readonly string[]): SandboxArguments {
  if (given.some((argument) => /^--?host(=|$)/.test(argument))) {
    return refused('The sandbox listens on 127.0.0.1 only; there is no --host.');
  }
  try {
    const { values } = parseArgs({
      args: [...given],
      options: { exit: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
    return values.help ? { kind: 'help' } : { kind: 'run', exitAfterWalk: values.exit ?? false };
  } catch (error) {
    // Node's own sentence names the argument; what follows it speaks of a syntax not used here.
    const [sentence = ''] = String(error instanceof Error ? error.message : error).split('. ');
    return refused(`${sentence.replace(/\.$/, '')}.`);
  }
}

const refused = (problem: string): SandboxArguments => ({
  kind: 'refused',
  problem: `${problem}\n\n${USAGE}`,
});

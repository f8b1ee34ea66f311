import { OperatorError } from '../ops/operator-error.ts';
import { COMMANDS, LIST_OF_COMMANDS } from './commands.ts';
import { asksForHelp, exitWithUsage, UsageError } from './read-arguments.ts';

const [name = '--help', ...args] = process.argv.slice(2);
const command = COMMANDS.find((one) => one.name === name);
const usage = command?.usage ?? LIST_OF_COMMANDS;
try {
  if (asksForHelp([name, ...args])) process.stdout.write(`Usage: ${usage}\n`);
  else if (command === undefined) throw new UsageError(`There is no command '${name}'.`);
  else await command.run(args);
} catch (error) {
  // Whatever an operator can fix needs no stack trace.
  if (error instanceof UsageError) exitWithUsage(usage, error.message);
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

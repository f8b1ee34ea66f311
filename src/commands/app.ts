import { OperatorError } from '../ops/operator-error.ts';
import { COMMANDS, LIST_OF_COMMANDS } from './commands.ts';
import { exitWithUsage, UsageError } from './read-arguments.ts';

const [name = '--help', ...args] = process.argv.slice(2);
const command = COMMANDS.find((one) => one.name === name);
try {
  if (command !== undefined) await command.run(args);
  else if (['--help', '-h'].includes(name)) process.stdout.write(`Usage: ${LIST_OF_COMMANDS}\n`);
  else exitWithUsage(LIST_OF_COMMANDS, `There is no command '${name}'.`);
} catch (error) {
  // Whatever an operator can fix needs no stack trace.
  if (error instanceof UsageError) exitWithUsage(command?.usage ?? '', error.message);
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

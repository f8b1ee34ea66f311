import { configFromEnvironment } from '../config/config.ts';
import { backUpDatabase, fileOf, removeUnfinishedBackup } from './database/back-up.ts';
import { fileArgument, runCommand } from './run-command.ts';

const USAGE = `npm run backup -- <file>

Copies the SQLite database to a file that doesn't exist yet. The app may run.`;

const target = fileArgument(USAGE);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    removeUnfinishedBackup(target);
    process.exit(1);
  });
}
await runCommand(async () => {
  const path = fileOf(configFromEnvironment().database);
  await backUpDatabase(path, target);
  process.stdout.write(
    `Backed up ${path} to ${target}. Keep ENCRYPTION_KEYS too, but in another place: without them, the API keys in the backup can't be read.\n`,
  );
});

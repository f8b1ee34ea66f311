import { configFromEnvironment } from '../config/config.ts';
import { fileOf } from './database/back-up.ts';
import { restoreDatabase } from './database/restore.ts';
import { fileArgument, runCommand } from './run-command.ts';

const USAGE = `npm run restore -- <file>

Replaces the SQLite database with a backup, and keeps the previous one. Stop the app first.`;

const backup = fileArgument(USAGE);
await runCommand(async () => {
  const path = fileOf(configFromEnvironment().database);
  const { doubtful, keptAs } = await restoreDatabase(backup, path, new Date());
  process.stdout.write(`Restored ${path} from ${backup}.\n`);
  if (keptAs) process.stdout.write(`The previous database was kept as ${keptAs}.\n`);
  if (doubtful > 0) {
    process.stdout.write(
      `${doubtful} requests were waiting to be sent when the backup was made, and may have been sent since. The app will ask their authors.\n`,
    );
  }
});

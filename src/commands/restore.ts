import { configFromEnvironment } from '../config/config.ts';
import { OperatorError } from '../ops/operator-error.ts';
import { fileOf } from '../store/sqlite/backup.ts';
import { restoreDatabase } from '../store/sqlite/restore.ts';

// Puts the backup that is named in the place of the database, while the app is stopped.
const [backup, ...rest] = process.argv.slice(2);
if (!backup || backup.startsWith('-') || rest.length > 0) {
  process.stderr.write('Usage: npm run restore -- <file>\n');
  process.exit(2);
}
try {
  const path = fileOf(configFromEnvironment().database);
  const { doubtful, keptAs } = await restoreDatabase(backup, path, new Date());
  process.stdout.write(`Restored ${path} from ${backup}.\n`);
  if (keptAs) process.stdout.write(`The earlier database is kept as ${keptAs}.\n`);
  if (doubtful > 0) {
    process.stdout.write(
      `${doubtful} requests were waiting to be sent when the backup was made. Their authors are asked whether they are there.\n`,
    );
  }
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

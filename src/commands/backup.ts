import { configFromEnvironment } from '../config/config.ts';
import { OperatorError } from '../ops/operator-error.ts';
import { backUpDatabase, fileOf, removeUnfinishedBackup } from '../store/sqlite/backup.ts';

// Copies the database into the file that is named, while the app runs.
const [target, ...rest] = process.argv.slice(2);
if (!target || target.startsWith('-') || rest.length > 0) {
  process.stderr.write('Usage: npm run backup -- <file>\n');
  process.exit(2);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    removeUnfinishedBackup(target);
    process.exit(1);
  });
}
try {
  const path = fileOf(configFromEnvironment().database);
  await backUpDatabase(path, target);
  process.stdout.write(
    `Backed up ${path} to ${target}. Keep ENCRYPTION_KEYS with it, but not beside it: without them the API keys in it can't be read.\n`,
  );
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

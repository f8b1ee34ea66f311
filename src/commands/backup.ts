import { configFromEnvironment } from '../config/config.ts';
import { backUpDatabase, fileOf, removeUnfinishedBackup } from './database/back-up.ts';

export async function backUp(target: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      removeUnfinishedBackup(target);
      process.exit(1);
    });
  }
  const path = fileOf(configFromEnvironment().database);
  await backUpDatabase(path, target);
  process.stdout.write(
    `Backed up ${path} to ${target}. Keep ENCRYPTION_KEYS too, but in another place: without them, the API keys in the backup can't be read.\n`,
  );
}

import { configFromEnvironment } from '../config/config.ts';
import { fileOf } from './database/back-up.ts';
import { restoreDatabase } from './database/restore.ts';

export async function restore(backup: string): Promise<void> {
  const path = fileOf(configFromEnvironment().database);
  const { doubtful, keptAs } = await restoreDatabase(backup, path, new Date());
  process.stdout.write(`Restored ${path} from ${backup}.\n`);
  if (keptAs) process.stdout.write(`The previous database was kept as ${keptAs}.\n`);
  if (doubtful > 0) {
    process.stdout.write(
      `${doubtful} requests were waiting to be sent when the backup was made, and may have been sent since. The app will ask their authors.\n`,
    );
  }
}

import { lockDatabase, migrateDatabase, pendingMigrations } from '../../../store/database.ts';
import { type Check, passed, skipped, warning } from '../check.ts';

export const databaseMigrated: Check = {
  name: 'database-migrated',
  category: 'database',
  about: 'The database has every table of this version.',
  needs: 'settings',
  async run({ database }) {
    const db = await database().catch(() => undefined);
    if (!db) return skipped("there is no database yet, or it can't be opened");
    const pending = await pendingMigrations(db).catch(() => undefined);
    if (!pending) return skipped("the database doesn't answer");
    if (pending.length === 0) return passed('up to date');
    return warning(
      `These migrations have not run: ${pending.join(', ')}.`,
      'Start the app, which runs them, or: npm run migrate',
    );
  },
  async repair({ config }) {
    const lock = await lockDatabase(config.database);
    try {
      return `migrated: ${(await migrateDatabase(config.database)).join(', ')}`;
    } finally {
      lock.release();
    }
  },
};

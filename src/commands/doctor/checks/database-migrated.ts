import { lockDatabase, migrateDatabase, pendingMigrations } from '../../../store/database.ts';
import { DatabaseError } from '../../../store/database-location.ts';
import { type Check, failed, passed, skipped, warning } from '../check.ts';

export const databaseMigrated: Check = {
  name: 'database-migrated',
  category: 'database',
  about: 'The database has every table of this version.',
  needs: 'settings',
  async run({ database }) {
    const db = await database().catch(() => undefined);
    if (!db) return skipped("there is no database yet, or it can't be opened");
    const pending = await pendingMigrations(db).catch((error: unknown) => error);
    if (pending instanceof DatabaseError) {
      return failed(
        'The database was made by version 0.1.0 or 0.2.0 of the app.',
        'Set DATABASE_URL to a new one, and connect each workspace again.',
      );
    }
    if (!Array.isArray(pending)) return skipped("the database doesn't answer");
    if (pending.length === 0) return passed('up to date');
    return warning(
      `These migrations have not run: ${pending.join(', ')}.`,
      'Start the app, which runs them, or: npm run app -- migrate',
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

import { isPostgres } from '../../../store/database-location.ts';
import { riskySettings } from '../../../store/postgres/pool.ts';
import { type Check, passed, skipped, warning } from '../check.ts';

/** The app itself warns about this at each start. */
export const durablePostgres: Check = {
  name: 'durable-postgres',
  category: 'database',
  about: 'Postgres has written to its disk what it has confirmed.',
  needs: 'settings',
  async run({ config, database }) {
    if (!isPostgres(config.database)) return skipped('the database is SQLite');
    const db = await database().catch(() => undefined);
    const off = db && (await riskySettings(db).catch(() => undefined));
    if (!off) return skipped("the database doesn't answer");
    if (off.length === 0) return passed('Postgres waits for its disk');
    return warning(
      `Postgres may lose acknowledged data: ${off.join(', ')} is off.`,
      'Turn it on in postgresql.conf, and reload.',
    );
  },
};

import { OperatorError } from '../../../ops/operator-error.ts';
import { requireReachable } from '../../../store/database.ts';
import { nameOf } from '../../../store/database-location.ts';
import { type Check, failed, passed } from '../check.ts';

export const databaseReachable: Check = {
  name: 'database-reachable',
  category: 'database',
  about: 'The database can be opened and answers.',
  needs: 'settings',
  async run({ config, database }) {
    const name = nameOf(config.database);
    try {
      const db = await database();
      if (db === undefined) return passed(`${name} will be created at the first start`);
      await requireReachable(db, config.database);
      return passed(name);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      return failed(error.message, 'Correct DATABASE_URL, or start the database.');
    }
  },
};

import { isSafeSqlite } from '../../../store/sqlite/dialect.ts';
import { type Check, failed, passed } from '../check.ts';

export const sqliteVersion: Check = {
  name: 'sqlite-version',
  category: 'runtime',
  about: 'SQLite is 3.51.3 or later: earlier versions can lose committed data.',
  needs: 'nothing',
  run() {
    const { sqlite = '0' } = process.versions;
    return isSafeSqlite(sqlite)
      ? passed(sqlite)
      : failed(`Node's SQLite is ${sqlite}, which can lose data.`, 'Use Node 24.15 or later.');
  },
};

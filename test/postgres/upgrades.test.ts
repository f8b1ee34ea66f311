import { postgresSchema, restorePostgres } from '../upgrades/dump-postgres.ts';
import { describeUpgrades } from '../upgrades/upgrade-suite.ts';
import { databaseForTest } from './database-for-test.ts';

describeUpgrades('postgres', async () => {
  const url = await databaseForTest();
  return {
    location: { url },
    setting: url,
    restore: (sql) => restorePostgres(url, sql),
    schema: () => postgresSchema(url),
  };
});

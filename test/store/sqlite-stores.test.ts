import { describe } from 'vitest';
import { describeApiKeys } from './api-key-suite.ts';
import { describeBacklog } from './backlog-suite.ts';
import { describeBudgets } from './budget-suite.ts';
import { describeEntries } from './entry-suite.ts';
import { describeInstallations } from './installation-suite.ts';
import { describeJobs } from './job-suite.ts';
import { describeKeyring } from './keyring-suite.ts';
import { describeLargeDeletions } from './large-deletion-suite.ts';
import { describeRequests } from './request-suite.ts';
import { describeSmallStores } from './small-store-suite.ts';
import { openSqliteStores } from './sqlite-files.ts';
import { describeUnreadableRows } from './unreadable-rows-suite.ts';

describe('on SQLite', () => {
  describeApiKeys(openSqliteStores);
  describeKeyring(openSqliteStores);
  describeRequests(openSqliteStores);
  describeBacklog(openSqliteStores);
  describeBudgets(openSqliteStores);
  describeJobs(openSqliteStores);
  describeEntries(openSqliteStores);
  describeSmallStores(openSqliteStores);
  describeInstallations(openSqliteStores);
  describeLargeDeletions(openSqliteStores);
  describeUnreadableRows(openSqliteStores);
});

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
import type { OpenStores } from './stores-under-test.ts';
import { describeUnreadableRows } from './unreadable-rows-suite.ts';

export function describeEveryStore(openStores: OpenStores): void {
  describeApiKeys(openStores);
  describeKeyring(openStores);
  describeRequests(openStores);
  describeBacklog(openStores);
  describeBudgets(openStores);
  describeJobs(openStores);
  describeEntries(openStores);
  describeSmallStores(openStores);
  describeInstallations(openStores);
  describeLargeDeletions(openStores);
  describeUnreadableRows(openStores);
}

import { describe } from 'vitest';
import { describeApiKeys } from '../store/api-key-suite.ts';
import { describeBacklog } from '../store/backlog-suite.ts';
import { describeBudgets } from '../store/budget-suite.ts';
import { describeEntries } from '../store/entry-suite.ts';
import { describeInstallations } from '../store/installation-suite.ts';
import { describeJobs } from '../store/job-suite.ts';
import { describeKeyring } from '../store/keyring-suite.ts';
import { describeLargeDeletions } from '../store/large-deletion-suite.ts';
import { describeRequests } from '../store/request-suite.ts';
import { describeSmallStores } from '../store/small-store-suite.ts';
import { describeUnreadableRows } from '../store/unreadable-rows-suite.ts';
import { openClaimingStores } from './postgres-stores.ts';

describe('on Postgres', () => {
  describeApiKeys(openClaimingStores);
  describeKeyring(openClaimingStores);
  describeRequests(openClaimingStores);
  describeBacklog(openClaimingStores);
  describeJobs(openClaimingStores);
  describeEntries(openClaimingStores);
  describeSmallStores(openClaimingStores);
  describeBudgets(openClaimingStores);
  describeInstallations(openClaimingStores);
  describeLargeDeletions(openClaimingStores);
  describeUnreadableRows(openClaimingStores);
});

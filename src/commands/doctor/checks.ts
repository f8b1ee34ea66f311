import type { Check } from './check.ts';
import { appToken } from './checks/app-token.ts';
import { clock } from './checks/clock.ts';
import { databaseMigrated } from './checks/database-migrated.ts';
import { databaseReachable } from './checks/database-reachable.ts';
import { databaseWritable } from './checks/database-writable.ts';
import { durableDisk } from './checks/durable-disk.ts';
import { durablePostgres } from './checks/durable-postgres.ts';
import { keyring } from './checks/keyring.ts';
import { messagesTab } from './checks/messages-tab.ts';
import { nodeVersion } from './checks/node-version.ts';
import { privateFiles } from './checks/private-files.ts';
import { proxy } from './checks/proxy.ts';
import { publicAddress } from './checks/public-address.ts';
import { refusedDeliveries } from './checks/refused-deliveries.ts';
import { requestUrl } from './checks/request-url.ts';
import { runningApp } from './checks/running-app.ts';
import { secretLength } from './checks/secret-length.ts';
import { serviceKey } from './checks/service-key.ts';
import { serviceReachable } from './checks/service-reachable.ts';
import { settings } from './checks/settings.ts';
import { slackScopes } from './checks/slack-scopes.ts';
import { slackToken } from './checks/slack-token.ts';
import { slackViews } from './checks/slack-views.ts';
import { sqliteVersion } from './checks/sqlite-version.ts';
import { transport } from './checks/transport.ts';
import { unfurlDomains } from './checks/unfurl-domains.ts';

/** Every check, in the order in which they run. */
export const CHECKS: readonly Check[] = [
  nodeVersion,
  sqliteVersion,
  settings,
  secretLength,
  proxy,
  privateFiles,
  databaseReachable,
  databaseWritable,
  databaseMigrated,
  durableDisk,
  durablePostgres,
  keyring,
  runningApp,
  slackToken,
  slackScopes,
  slackViews,
  clock,
  appToken,
  transport,
  messagesTab,
  unfurlDomains,
  publicAddress,
  refusedDeliveries,
  requestUrl,
  serviceReachable,
  serviceKey,
];

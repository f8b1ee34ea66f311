import type { Row } from '../faults/row.ts';
import { repeatedEventsRow } from '../faults/row-06-repeated-events.ts';
import { uninstallRow } from '../faults/row-16-uninstall.ts';
import { isolationRow } from '../faults/row-17-isolation.ts';
import { tokenRefreshRow } from '../faults/row-18-token-refresh.ts';
import { filesRow } from '../faults/row-23-files.ts';
import { watchedDayRow } from '../faults/row-24-watched-day.ts';
import { freezeReplicaRow } from './freeze-a-replica.ts';
import { killReplicaRow } from './kill-a-replica.ts';
import { rollingRestartRow } from './rolling-restart.ts';
import { burstOfLinksRow, sharedKeyRow } from './shared-key.ts';

/** What is run against several replicas on one Postgres, in the order of the table. */
export const REPLICA_ROWS: readonly Row[] = [
  killReplicaRow,
  freezeReplicaRow,
  repeatedEventsRow,
  sharedKeyRow,
  burstOfLinksRow,
  uninstallRow,
  isolationRow,
  tokenRefreshRow,
  filesRow,
  rollingRestartRow,
  watchedDayRow,
];

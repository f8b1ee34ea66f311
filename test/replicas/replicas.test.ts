import { describe, inject, it } from 'vitest';
import { expectToPass, TRIES } from '../faults/expect-to-pass.ts';
import { isolationRow } from '../faults/row-17-isolation.ts';
import { tokenRefreshRow } from '../faults/row-18-token-refresh.ts';
import { onReplicas } from './deployment.ts';
import { freezeReplicaRow } from './freeze-a-replica.ts';
import { killReplicaRow } from './kill-a-replica.ts';
import { rollingRestartRow } from './rolling-restart.ts';

const REPLICAS = 2;

const ROWS = [killReplicaRow, freezeReplicaRow, isolationRow, tokenRefreshRow, rollingRestartRow];

describe('two replicas as processes behind a load balancer', { timeout: TRIES.timeout }, () => {
  it.each(ROWS)('pass row $row: $title', async (row) => {
    const deployment = { postgres: inject('postgresServer') ?? '', replicas: REPLICAS };
    await onReplicas(deployment, () => expectToPass(row));
  });
});

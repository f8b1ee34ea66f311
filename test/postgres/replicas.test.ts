import { describe, expect, inject, it } from 'vitest';
import { countsAsText, measurementsAsText } from '../faults/figures.ts';
import { keyRefusedRow } from '../faults/row-15-key-refused.ts';
import { isolationRow } from '../faults/row-17-isolation.ts';
import { tokenRefreshRow } from '../faults/row-18-token-refresh.ts';
import { onReplicas } from '../replicas/deployment.ts';
import { freezeReplicaRow } from '../replicas/freeze-a-replica.ts';
import { killReplicaRow } from '../replicas/kill-a-replica.ts';
import { rollingRestartRow } from '../replicas/rolling-restart.ts';

/** Always the same random choices; `npm run test:replicas` uses another seed each time, and many more runs. */
const SEED = 20_261;
const REPLICAS = 2;
/** Only ends a test that hangs; nothing but Slack's own deadline is timed. */
const HANGS_AFTER_MS = 180_000;

const ROWS = [
  killReplicaRow,
  freezeReplicaRow,
  keyRefusedRow,
  isolationRow,
  tokenRefreshRow,
  rollingRestartRow,
];

describe('two replicas as processes behind a load balancer', { timeout: HANGS_AFTER_MS }, () => {
  it.each(ROWS)('pass row $row: $title', async (row) => {
    const options = { seed: SEED, runs: row.runs.quick, say: () => undefined };
    const deployment = { postgres: inject('postgresServer') ?? '', replicas: REPLICAS };
    const figures = await onReplicas(deployment, () => row.run(options));
    const words = `${countsAsText(figures)}; ${measurementsAsText(figures)}`;
    expect({ words, holds: figures.holds }).toEqual({ words, holds: true });
  });
});

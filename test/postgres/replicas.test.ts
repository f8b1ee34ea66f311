import { describe, expect, inject, it } from 'vitest';
import { countsInWords, measuredInWords } from '../faults/figures.ts';
import { keyRefusedRow } from '../faults/row-15-key-refused.ts';
import { isolationRow } from '../faults/row-17-isolation.ts';
import { tokenRefreshRow } from '../faults/row-18-token-refresh.ts';
import { onReplicas } from '../replicas/deployment.ts';
import { freezeReplicaRow } from '../replicas/freeze-a-replica.ts';
import { killReplicaRow } from '../replicas/kill-a-replica.ts';
import { rollingRestartRow } from '../replicas/rolling-restart.ts';

/** Chance repeats itself; `npm run test:replicas` takes another seed each time, and many more runs. */
const SEED = 20_261;
const REPLICAS = 2;
/** Nothing here is timed but what Slack times; this only ends a test that hangs. */
const HANGS_AFTER_MS = 180_000;

const ROWS = [
  killReplicaRow,
  freezeReplicaRow,
  keyRefusedRow,
  isolationRow,
  tokenRefreshRow,
  rollingRestartRow,
];

/** Slack's three seconds are real ones here, and a machine may stand still for longer. */
const TRIES = { retry: 1, timeout: HANGS_AFTER_MS };

describe('two replicas, as processes of their own behind a load balancer', TRIES, () => {
  it.each(ROWS)('row $row holds: $title', async (row) => {
    const options = { seed: SEED, runs: row.runs.quick, say: () => undefined };
    const deployment = { postgres: inject('postgresServer') ?? '', replicas: REPLICAS };
    const figures = await onReplicas(deployment, () => row.run(options));
    const words = `${countsInWords(figures)}; ${measuredInWords(figures)}`;
    expect({ words, holds: figures.holds }).toEqual({ words, holds: true });
  });
});

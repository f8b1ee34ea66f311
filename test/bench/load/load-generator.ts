import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BurstOrder, BurstOutcome, PaceOrder, PaceOutcome } from './orders.ts';

/** The process that plays Slack, seen from here. */
export type LoadGenerator = {
  /** What an app takes as SLACK_API_URL. */
  slackApiUrl: string;
  signingSecret: string;
  /** The one workspace that it answers for. */
  workspaceId: string;
  burst(order: Omit<BurstOrder, 'order'>): Promise<BurstOutcome>;
  pace(order: Omit<PaceOrder, 'order'>): Promise<PaceOutcome>;
  close(): void;
};

const ENTRY = fileURLToPath(new URL('./load-process.ts', import.meta.url));
const SIGNING_SECRET = 'signing-secret-of-the-benchmarks';
const WORKSPACE_ID = 'T0BENCH001';

/** Each order is given after the one before is done. */
export async function startLoadGenerator(): Promise<LoadGenerator> {
  const child = fork(ENTRY, ['--signing-secret', SIGNING_SECRET, '--workspace', WORKSPACE_ID]);
  const [{ apiUrl }] = await once(child, 'message');

  async function ask<Outcome>(order: BurstOrder | PaceOrder): Promise<Outcome> {
    const answer = once(child, 'message');
    child.send(order);
    const [{ outcome, failed }] = await answer;
    if (failed !== undefined) throw new Error(failed);
    return outcome;
  }

  return {
    slackApiUrl: apiUrl,
    signingSecret: SIGNING_SECRET,
    workspaceId: WORKSPACE_ID,
    burst: (order) => ask({ ...order, order: 'burst' }),
    pace: (order) => ask({ ...order, order: 'pace' }),
    close: () => child.disconnect(),
  };
}

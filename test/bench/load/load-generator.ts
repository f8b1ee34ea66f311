import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BurstLoad, BurstOutcome, PacedLoad, PaceOutcome } from './loads.ts';

/** The process that plays Slack, as seen from here. */
export type LoadGenerator = {
  /** The value for SLACK_API_URL. */
  slackApiUrl: string;
  signingSecret: string;
  /** The workspace that it answers for. */
  workspaceId: string;
  burst(load: Omit<BurstLoad, 'load'>): Promise<BurstOutcome>;
  pace(load: Omit<PacedLoad, 'load'>): Promise<PaceOutcome>;
  close(): void;
};

const ENTRY = fileURLToPath(new URL('./load-process.ts', import.meta.url));
const SIGNING_SECRET = 'f00d'.repeat(8);
const WORKSPACE_ID = 'T0BENCH001';

/** Each load starts after the previous one is done. */
export async function startLoadGenerator(): Promise<LoadGenerator> {
  const child = fork(ENTRY, ['--signing-secret', SIGNING_SECRET, '--workspace', WORKSPACE_ID]);
  const [{ apiUrl }] = await once(child, 'message');

  async function ask<Outcome>(load: BurstLoad | PacedLoad): Promise<Outcome> {
    const answer = once(child, 'message');
    child.send(load);
    const [{ outcome, failed }] = await answer;
    if (failed !== undefined) throw new Error(failed);
    return outcome;
  }

  return {
    slackApiUrl: apiUrl,
    signingSecret: SIGNING_SECRET,
    workspaceId: WORKSPACE_ID,
    burst: (load) => ask({ ...load, load: 'burst' }),
    pace: (load) => ask({ ...load, load: 'pace' }),
    close: () => child.disconnect(),
  };
}

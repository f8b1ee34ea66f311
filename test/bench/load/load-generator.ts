import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { DeliveryKind } from './deliveries.ts';

type Target = {
  url: string;
  kind: DeliveryKind;
  count: number;
  /** Different from all numbers used before: it is part of every identity. */
  prefix: string;
  /** The workspaces that the deliveries are for, in turn; one by default. */
  workspaceIds?: readonly string[];
  /** How many people type the commands, in turn; one by default. */
  people?: number;
  /** Links to send, in turn; by default one that isn't a card. */
  urls?: readonly string[];
};

/** Everything at once: as fast as the app acknowledges, over this many connections. */
export type BurstLoad = Target & { load: 'burst'; connections: number };

/** At a steady pace, whether the app keeps up or not. */
export type PacedLoad = Target & {
  load: 'pace';
  perSecond: number;
  /** The Slack method that each delivery causes. */
  until: 'acknowledged' | 'views.open' | 'chat.unfurl';
};

export type BurstOutcome = {
  /** From the first byte sent to the last acknowledgment, in ms. */
  tookMs: number;
  /** The share of one CPU that the load generator used, from 0 to 1. */
  ownShare: number;
};

export type PaceOutcome = {
  /** From sending each delivery until its effect arrived, in ms. */
  ms: number[];
};

/** The process that plays Slack, as seen from here. */
export type LoadGenerator = Awaited<ReturnType<typeof startLoadGenerator>>;

const ENTRY = fileURLToPath(new URL('./load-process.ts', import.meta.url));

/** Each load starts after the previous one is done. */
export async function startLoadGenerator() {
  const child = fork(ENTRY);
  const [{ apiUrl }] = await once(child, 'message');

  async function ask<Outcome>(load: BurstLoad | PacedLoad): Promise<Outcome> {
    const answer = once(child, 'message');
    child.send(load);
    const [{ outcome, failed }] = await answer;
    if (failed !== undefined) throw new Error(failed);
    return outcome;
  }

  return {
    /** The value for SLACK_API_URL. */
    slackApiUrl: String(apiUrl),
    burst: (load: Omit<BurstLoad, 'load'>) => ask<BurstOutcome>({ ...load, load: 'burst' }),
    pace: (load: Omit<PacedLoad, 'load'>) => ask<PaceOutcome>({ ...load, load: 'pace' }),
    close: () => child.disconnect(),
  };
}

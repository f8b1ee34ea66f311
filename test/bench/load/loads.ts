import type { DeliveryKind } from './deliveries.ts';

/** What is sent, and where. */
type Target = {
  /** The app's URL, such as `http://127.0.0.1:3000`. */
  url: string;
  kind: DeliveryKind;
  count: number;
  /** Different from all numbers used before: it is part of every identity. */
  prefix: string;
  /** The workspaces that the deliveries are for, in turn. */
  workspaceIds: readonly string[];
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
  /** The time of each acknowledgment, in ms. */
  ms: number[];
  /** The share of one CPU that the load generator used, from 0 to 1. */
  ownShare: number;
};

export type PaceOutcome = {
  /** From sending each delivery until its effect arrived, in ms. */
  ms: number[];
};

import type { DeliveryKind } from './deliveries.ts';

/** What is sent, and to whom. */
type Target = {
  /** Of the app, such as `http://127.0.0.1:3000`. */
  url: string;
  kind: DeliveryKind;
  count: number;
  /** Differs from that of everything that was sent before: it is part of every identity. */
  prefix: string;
  /** Those that the deliveries are for, in turn. */
  workspaceIds: readonly string[];
  /** Links to send, in turn; one that names no card unless given. */
  urls?: readonly string[];
};

/** Everything at once: as fast as the app acknowledges, over so many connections. */
export type BurstOrder = Target & { order: 'burst'; connections: number };

/** At a steady pace, whether the app keeps up or not. */
export type PaceOrder = Target & {
  order: 'pace';
  perSecond: number;
  /** The call of Slack's that each delivery leads to. */
  until: 'acknowledged' | 'views.open' | 'chat.unfurl';
};

export type BurstOutcome = {
  /** From the first byte sent to the last acknowledgement, in ms. */
  tookMs: number;
  /** Of each acknowledgement, in ms. */
  ms: number[];
  /** What of one processor the load generator itself took, from 0 to 1. */
  ownShare: number;
};

export type PaceOutcome = {
  /** From sending each delivery until what it led to arrived, in ms. */
  ms: number[];
};

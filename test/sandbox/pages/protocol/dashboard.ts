import { z } from 'zod';
import type { Line } from '../../../../src/slack/text/html-lines.ts';

export type StatusShown = { id: string; name: string; color: string };

/** A card in the list. */
export type CardRow = {
  id: string;
  title: string;
  status: StatusShown;
  account: string;
  brand: string | undefined;
  /** Milliseconds since 1970. */
  updatedAt: number;
  /** URL of its newest picture. */
  picture: string | undefined;
  /** What a search looks through besides what is shown: the description, with its reference. */
  words: string;
  /** Its link, as the app knows it. */
  url: string;
};

export type CardFileShown = {
  id: string;
  name: string;
  type: string;
  /** What became of its download, if it came with the request. */
  download: string | undefined;
  picture: string | undefined;
  address: string;
};

/** A card with everything the service stores. */
export type CardShown = CardRow & {
  /** Short facts under the names used in api.md. */
  facts: [name: string, value: string][];
  description: Line[];
  descriptionHtml: string;
  textCopy: Line[];
  dimensions: string;
  labels: string[];
  tags: string[];
  /** `YYYY-MM-DD`; empty if there is none. */
  dueDate: string;
  files: CardFileShown[];
  /** The body of the call that created it; undefined if there was none. */
  sent: unknown;
};

/** An API key, and its limit per minute. */
export type KeyShown = {
  /** The customer's name. */
  owner: string;
  account: string;
  /** The project of its cards, which an admin can name when connecting. */
  projectId: string;
  /** Undefined if it was revoked. */
  key: string | undefined;
  budget:
    | { limit: number; remaining: number /** Seconds since 1970. */; resetsAt: number }
    | undefined;
};

const FAULTS = [
  'slow',
  'rate-limited',
  'server-error',
  'dropped-after-executing',
  'garbage',
  'down',
  'refuses-fields',
] as const;
export type FaultName = (typeof FAULTS)[number];

export type FaultShown = {
  id: number;
  name: FaultName;
  /** Only for the next call. */
  once: boolean;
  struck: number;
};

export type CallRow = {
  seq: number;
  at: number;
  call: string;
  status: number | undefined;
  /** Whether it was answered or its connection is closed. */
  isOver: boolean;
  executed: boolean;
  /** The owner of its key. */
  owner: string;
  /** What a person did in Slack right before. */
  cause: string;
  remaining: number | undefined;
};

export type DashboardSnapshot = {
  /** The service's clock, in ms since 1970. */
  now: number;
  cards: CardRow[];
  statuses: StatusShown[];
  open: CardShown | undefined;
  keys: KeyShown[];
  faults: FaultShown[];
  /** Newest first. */
  calls: CallRow[];
  callCount: number;
  /** The most calls of one key in any 60 s. */
  largestWindow: number;
};

const cardId = z.string().max(200);
const line = z.string().max(1_000);

/** What a member of the service does in the dashboard. */
export const dashboardAct = z.discriminatedUnion('do', [
  z.object({ do: z.literal('set-status'), cardId, statusId: line }),
  z.object({ do: z.literal('add-file'), cardId, name: line.min(1) }),
  z.object({
    do: z.literal('edit'),
    cardId,
    title: line,
    descriptionHtml: z.string().max(500_000),
    dimensions: z.string().max(10_000),
    labels: z.array(line),
    tags: z.array(line),
    dueDate: z.union([z.literal(''), z.iso.date()]),
  }),
  z.object({ do: z.literal('revoke-key'), owner: line }),
  z.object({ do: z.literal('new-key'), owner: line }),
  z.object({ do: z.literal('limit-key'), owner: line, perMinute: z.int().min(1).max(1_000) }),
  z.object({ do: z.literal('add-fault'), name: z.enum(FAULTS), once: z.boolean() }),
  z.object({ do: z.literal('remove-fault'), id: z.int() }),
  z.object({ do: z.literal('remove-all-faults') }),
]);
export type DashboardAct = z.infer<typeof dashboardAct>;

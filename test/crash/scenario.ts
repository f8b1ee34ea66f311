import type { Stores } from '../../src/store/stores.ts';
import type { Fault } from '../stand-ins/design-service/faults.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import type { Message, User } from '../stand-ins/slack/state/model.ts';
import type { StandIns } from './world/stand-ins.ts';
import type { World } from './world/world.ts';

export const OUTCOMES = [
  'done',
  'done, answer lost',
  'failed, unknown',
  'not sent',
  'rejected',
  '429',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

const FIRST_CREATION = { operation: 'createCard', times: 1 } as const;

/** The faults of the stand-in that cause them. */
export const FAULTS: Record<Outcome, Fault | undefined> = {
  done: undefined,
  'done, answer lost': { ...FIRST_CREATION, kind: 'drop-after-executing' },
  'failed, unknown': { ...FIRST_CREATION, kind: 'status', status: 500 },
  'not sent': undefined,
  rejected: {
    ...FIRST_CREATION,
    kind: 'status',
    status: 400,
    details: { title: 'is not what we expect' },
  },
  '429': { ...FIRST_CREATION, kind: 'rate-limited', retryAfter: 30 },
};

/** What an author decides about a request that may or may not have arrived. */
export type Decision = 'Not there, send again' | 'Found it' | 'Discard';

export type Sent = {
  title: string;
  by: Person;
  decisions: Decided[];
};

type Decided = {
  decision: Decision;
  /** Of the request when its author was asked. */
  revision: number;
  /** How many cards there were for it when its author first pressed the button. */
  cards: number;
};

/** What people did in a run; the checks compare it with what the app did. */
export type History = {
  sent: Sent[];
  links?: { message: Message; title: string }[];
  /** Who must be told that a key was rejected. */
  toldOfRejectedKey?: User[];
  /** How often a key was used after it was stored that the service rejects it. */
  usesOfRejectedKey?: number;
  /** A working key was connected in the end, so no request may wait for one. */
  hasWorkingKey?: boolean;
  /** The app can search for cards, so it knows each request's card in the end. */
  hasProject?: boolean;
  isUninstalled?: boolean;
};

export type Scenario = {
  name: string;
  /** Outcomes of the POST to try; all by default. */
  outcomes?: readonly Outcome[];
  outcomesInTests: readonly Outcome[];
  /** The app is installed through OAuth, so it can be removed; otherwise its token comes from the environment. */
  isInstalledByOAuth?: boolean;
  prepare?(stores: Stores, standIns: StandIns): Promise<void>;
  /** Calls `world.meetOutcome` before the request that should have the outcome of the run. */
  play(world: World): Promise<History>;
};

import type { Stores } from '../../../src/store/stores.ts';
import type { History } from '../history.ts';
import type { Outcome } from '../outcomes.ts';
import type { StandIns } from '../world/stand-ins.ts';
import type { World } from '../world/world.ts';

/** Something that people do with the app. */
export type Scenario = {
  name: string;
  /** Outcomes of the POST with which it is tried; all unless given. */
  outcomes?: readonly Outcome[];
  /** Those with which `npm test` tries it. */
  outcomesInTests: readonly Outcome[];
  /** The app comes by OAuth and may be removed; else it has its bot token from the environment. */
  isInstalledByOAuth?: boolean;
  /** What the database holds from before. */
  prepare?(stores: Stores, standIns: StandIns): Promise<void>;
  /** Calls `world.meetOutcome` before the request that shall have the outcome of the run. */
  play(world: World): Promise<History>;
};

import type { Stores } from '../../../src/store/stores.ts';
import type { History } from '../history.ts';
import type { Outcome } from '../outcomes.ts';
import type { StandIns } from '../world/stand-ins.ts';
import type { World } from '../world/world.ts';

/** Something that people do with the app. */
export type Scenario = {
  name: string;
  /** Outcomes of the POST to try; all by default. */
  outcomes?: readonly Outcome[];
  /** The outcomes that `npm test` tries. */
  outcomesInTests: readonly Outcome[];
  /** The app is installed through OAuth, so it can be removed; otherwise its token comes from the environment. */
  isInstalledByOAuth?: boolean;
  /** Stores what is there before the scenario begins. */
  prepare?(stores: Stores, standIns: StandIns): Promise<void>;
  /** Calls `world.meetOutcome` before the request that should have the outcome of the run. */
  play(world: World): Promise<History>;
};

import {
  type DatabaseFault,
  diskFull,
  locked,
  oneWriteFails,
  readOnly,
} from './database/database-faults.ts';
import { DOUBTS, type EpisodeCounts, episode, FORMS } from './database/episode.ts';
import type { Figures, Row, RowOptions } from './figures.ts';
import { type Chance, chanceOf } from './random.ts';
import { withSetting } from './setting.ts';

const TITLE = 'database locked for 10 s, disk full, read-only, or failing at one write';
const MUTATION =
  'events are acknowledged without waiting for their row (intake.ts): 5 of 6 links lost on a full disk; a change and the job that follows are two commits (change-request-state.ts): 6 silent losses in 24 episodes';

/** The first lock is short, the others as long as the table says. In ms. */
const SHORT_LOCK_MS = 2_500;
const LOCK_MS = 10_000;
const FULL_MS = 3_000;
const KINDS = 4;

/** In turn. */
const faultOf = (index: number, chance: Chance): DatabaseFault => {
  const faults = [
    locked(index === 0 ? SHORT_LOCK_MS : LOCK_MS),
    diskFull(FULL_MS, chance),
    readOnly(FULL_MS),
    oneWriteFails(FULL_MS, Math.floor(index / KINDS)),
  ] as const;
  return faults[index % KINDS] ?? faults[0];
};

function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  return withSetting({ seed, people: FORMS + DOUBTS }, async (setting) => {
    const chance = chanceOf(seed);
    let app = await setting.start();
    const counts: EpisodeCounts = {
      'accepted and done': 0,
      'refused, repeated, and done': 0,
      'silent losses': 0,
      doubled: 0,
      'answers later than 3 s': 0,
      crashes: 0,
    };
    for (let index = 0; index < runs; index += 1) {
      const fault = faultOf(index, chance);
      const name = `Episode ${index + 1}`;
      const result = await episode(setting, { app, fault, chance, name });
      app = result.app;
      for (const kind of Object.keys(counts) as (keyof EpisodeCounts)[]) {
        counts[kind] += result.counts[kind];
      }
      say(`${name}, ${fault.name}: ${JSON.stringify(result.counts)} ${result.lost.join(', ')}`);
    }
    return {
      row: 10,
      title: TITLE,
      counts,
      measured: { episodes: String(runs) },
      holds:
        counts['accepted and done'] > 0 &&
        counts['silent losses'] +
          counts.doubled +
          counts['answers later than 3 s'] +
          counts.crashes ===
          0,
      mutation: MUTATION,
    };
  });
}

export const failingDatabaseRow: Row = {
  row: 10,
  title: TITLE,
  runs: { full: 48, quick: 2 },
  run,
};

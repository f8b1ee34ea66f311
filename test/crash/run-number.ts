import { type Chance, chanceOf } from '../faults/random.ts';
import type { Run } from './run.ts';
import { OUTCOMES, type Outcome } from './scenario.ts';
import { SCENARIOS, twoRequests } from './scenarios.ts';
import type { Interruption, Moment } from './world/processes.ts';

/** More moments than any scenario has. */
const MOMENTS = 10_000;
const OUTCOMES_OF_ONE = 10;
/** The numbers of seeded runs: one of these plus the seed. */
export const TWO_CRASHES = 10_000_000;
export const TWO_PROCESSES = 20_000_000;

export const needsPostgres = (number: number): boolean => number >= TWO_PROCESSES;

export function runOf(number: number): Run {
  if (number >= TWO_PROCESSES) return withTwoProcesses(number - TWO_PROCESSES);
  if (number >= TWO_CRASHES) return withTwoCrashes(number - TWO_CRASHES);
  return withOneCrash(number);
}

/** The number of the run of that scenario and outcome without a crash. */
export const numberOf = (scenario: number, outcome: Outcome): number =>
  ((scenario + 1) * OUTCOMES_OF_ONE + OUTCOMES.indexOf(outcome)) * MOMENTS;

/** Made of the scenario, the outcome, and the moment; 0 means no crash. */
function withOneCrash(number: number): Run {
  const at = number % MOMENTS;
  const kind = Math.floor(number / MOMENTS);
  const scenario = SCENARIOS[Math.floor(kind / OUTCOMES_OF_ONE) - 1];
  const outcome = OUTCOMES[kind % OUTCOMES_OF_ONE];
  if (!scenario || !outcome) throw new Error(`There is no run ${number}`);
  const interruptions: Interruption[] = at === 0 ? [] : [{ kind: 'crash', at }];
  return { scenario, outcome, processes: 1, interruptions };
}

function withTwoCrashes(seed: number): Run {
  const chance = chanceOf(seed);
  return {
    scenario: twoRequests,
    outcome: chance.pick(OUTCOMES),
    processes: 1,
    interruptions: (calm) => {
      const first = momentIn(calm, chance);
      return [
        { kind: 'crash', at: first },
        { kind: 'crash', at: first + momentIn(calm, chance) },
      ];
    },
    chance,
  };
}

/** Longer than a lease, so that the others take it for dead; it may wake while they do. */
const SHORTEST_FREEZE_MS = 11_000;
const LONGEST_FREEZE_MS = 40_000;

/** One process freezes for longer than its lease; in half of the runs one also crashes. */
function withTwoProcesses(seed: number): Run {
  const chance = chanceOf(seed);
  const forMs = SHORTEST_FREEZE_MS + chance.below(LONGEST_FREEZE_MS - SHORTEST_FREEZE_MS);
  return {
    scenario: chance.pick([twoRequests, ...SCENARIOS]),
    outcome: chance.pick(OUTCOMES),
    processes: 2,
    interruptions: (calm) => {
      const freeze: Interruption = { kind: 'freeze', at: momentIn(calm, chance), forMs };
      if (chance.is(0.5)) return [freeze];
      const crash: Interruption = { kind: 'crash', at: momentIn(calm, chance) };
      return [freeze, crash].toSorted((one, other) => one.at - other.at);
    },
    chance,
  };
}

/** Any moment, the last of an epoch, or one while a request is being sent. */
function momentIn(moments: readonly Moment[], chance: Chance): number {
  const all = [...moments.keys()];
  const telling = all.filter((index) => moments[index]?.epoch !== moments[index + 1]?.epoch);
  const among = chance.pick([all, telling, whileSending(moments)]);
  return 1 + (among[chance.below(among.length)] ?? 0);
}

/** The moments from when a request is marked as “sending” until it has left the process. */
function whileSending(moments: readonly Moment[]): number[] {
  const found: number[] = [];
  let isSending = false;
  for (const [index, { label }] of moments.entries()) {
    if (label.endsWith(' = sending')) isSending = true;
    if (isSending) found.push(index);
    if (label.endsWith('POST /client/api/card')) isSending = false;
  }
  return found;
}

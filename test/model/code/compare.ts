import type { Database } from '../../../src/store/database.ts';
import { type Chance, chanceOf } from '../../faults/random.ts';
import type { Rules } from '../protocol/safeguards.ts';
import { initialState, type State } from '../protocol/state.ts';
import {
  type Happened,
  type Step,
  stepsFrom,
  type TransitionName,
} from '../protocol/transitions.ts';
import { openCode } from './code.ts';
import { differences, viewOf } from './view.ts';

/** A history, as the model and the code went through it. */
export type Compared = {
  /** The steps up to the first difference. */
  happened: Happened[];
  /** Empty if they agree after every step. */
  differences: string[];
};

const MOST_STEPS = 60;
/** Each takes a second, but calls must count until the model lets a minute pass. */
const MOST_CHECKS_IN_A_MINUTE = 15;

/** What people do with a card, rarely before the app has searched for it. */
const COMES_LATE: readonly TransitionName[] = ['decide', 'readCard'];

/** Takes random steps, which depend only on the seed. */
export function compareRandomHistory(db: Database, rules: Rules, seed: number): Promise<Compared> {
  const chance = chanceOf(seed);
  let checks = 0;
  return compare(db, rules, (state, taken) => {
    if (taken === MOST_STEPS) return undefined;
    const mustWait = checks === MOST_CHECKS_IN_A_MINUTE;
    const step = pick(likely(stepsFrom(state, rules), { chance, mustWait }), chance);
    if (step?.happened.name === 'minutePasses') checks = 0;
    if (step?.happened.name === 'checkRequest') checks += 1;
    return checks > MOST_CHECKS_IN_A_MINUTE ? undefined : step;
  });
}

function likely(
  steps: readonly Step[],
  { chance, mustWait }: { chance: Chance; mustWait: boolean },
): readonly Step[] {
  const minute = steps.filter(({ happened }) => happened.name === 'minutePasses');
  const others = steps.filter(({ happened }) => happened.name !== 'minutePasses');
  const byTheApp = others.filter(({ happened }) => !COMES_LATE.includes(happened.name));
  const soon = chance.is(0.1) ? others : byTheApp;
  // Rarely, so that the budget is used up.
  const isTime = mustWait || soon.length === 0 || chance.is(0.05);
  if (isTime && minute.length > 0) return minute;
  return soon.length > 0 ? soon : others;
}

/** Takes these steps. */
export function compareTrace(
  db: Database,
  rules: Rules,
  trace: readonly Happened[],
): Promise<Compared> {
  return compare(db, rules, (state, taken) => {
    const wanted = JSON.stringify(trace[taken]);
    return stepsFrom(state, rules).find(({ happened }) => JSON.stringify(happened) === wanted);
  });
}

async function compare(
  db: Database,
  rules: Rules,
  next: (state: State, taken: number) => Step | undefined,
): Promise<Compared> {
  const code = await openCode(db, rules.scope);
  const happened: Happened[] = [];
  try {
    let state = initialState(rules.scope);
    for (;;) {
      const step = next(state, happened.length);
      if (!step) return { happened, differences: [] };
      happened.push(step.happened);
      state = step.next;
      try {
        await code.perform(step.happened);
      } catch (error) {
        return { happened, differences: [`the code can’t do that: ${error}`] };
      }
      const found = differences(viewOf(state), await code.view(), rules.scope);
      if (found.length > 0) return { happened, differences: found };
    }
  } finally {
    await code.close();
  }
}

function pick([first, ...rest]: readonly Step[], chance: Chance): Step | undefined {
  return first && chance.pick([first, ...rest]);
}

import { encode } from './encode.ts';
import { takesBack, type Violation, violationIn } from './invariants.ts';
import type { Rules } from './protocol/safeguards.ts';
import { initialState, type State } from './protocol/state.ts';
import { type Happened, type Step, stepsFrom } from './protocol/transitions.ts';

export type Explored = {
  states: number;
  steps: number;
  seconds: number;
  found?: { violation: Violation; trace: Happened[] };
};

/** How a state was first reached. */
type Way = { before?: Way; happened: Happened };
type Visit = { state: State; way?: Way };

/** Visits every state, those with the fewest steps first, and stops at the first violation. */
export function explore(rules: Rules, onStep?: (from: State, step: Step) => void): Explored {
  const { scope } = rules;
  const begunAt = performance.now();
  const start = initialState(scope);
  const known = new Set([encode(start, scope)]);
  let steps = 0;
  let found: Explored['found'];

  /** @returns the new states */
  function visit({ state, way }: Visit): Visit[] {
    const all = stepsFrom(state, rules);
    const violation = violationIn(state, all);
    if (violation) {
      found = { violation, trace: traceOf(way) };
      return [];
    }
    steps += all.length;
    return all.flatMap((step) => {
      onStep?.(state, step);
      if (takesBack(state, step.next)) {
        const trace = [...traceOf(way), step.happened];
        found ??= { violation: 'One card', trace };
      }
      const text = encode(step.next, scope);
      if (known.has(text)) return [];
      known.add(text);
      return [{ state: step.next, way: { ...(way && { before: way }), happened: step.happened } }];
    });
  }

  let frontier: Visit[] = [{ state: start }];
  while (frontier.length > 0 && !found) {
    const next: Visit[] = [];
    for (const visited of frontier) {
      for (const reached of visit(visited)) next.push(reached);
      if (found) break;
    }
    frontier = next;
  }
  const seconds = (performance.now() - begunAt) / 1_000;
  return { states: known.size, steps, seconds, ...(found ? { found } : {}) };
}

function traceOf(way: Way | undefined): Happened[] {
  const trace: Happened[] = [];
  for (let at = way; at; at = at.before) trace.unshift(at.happened);
  return trace;
}

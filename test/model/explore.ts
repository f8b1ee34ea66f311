import { encode } from './encode.ts';
import { takesBack, type Violation, violationIn } from './invariants.ts';
import { isHeld, isLeased, requestAt, workerAt } from './protocol/changes.ts';
import type { Rules } from './protocol/safeguards.ts';
import { initialState, type State } from './protocol/state.ts';
import { type Happened, type Step, stepsFrom } from './protocol/transitions.ts';

export type Explored = {
  states: number;
  steps: number;
  seconds: number;
  found?: { violation: Violation; trace: Happened[] };
};

type Options = {
  /** Skips equivalent orders of steps; the trace may then not be the shortest. */
  isReduced?: boolean;
  onStep?: (from: State, step: Step) => void;
};

/** How a state was first reached. */
type Way = { before?: Way; happened: Happened };
type Visit = { state: State; way?: Way };

/** Visits every state, those with the fewest steps first, and stops at the first violation. */
export function explore(rules: Rules, options: Options = {}): Explored {
  const { scope } = rules;
  const begunAt = performance.now();
  const start = initialState(scope);
  const known = new Set([encode(start, scope)]);
  let steps = 0;
  let found: Explored['found'];

  /** @returns the new states */
  function visit({ state, way }: Visit): Visit[] {
    const all = stepsFrom(state, rules);
    const violation = violationIn(state, all, scope.budget);
    if (violation) {
      found = { violation, trace: traceOf(way) };
      return [];
    }
    const chosen = options.isReduced ? reduce(state, all, rules) : all;
    steps += chosen.length;
    return chosen.flatMap((step) => {
      options.onStep?.(state, step);
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

/** A step that makes no difference to anything else can be taken at once. */
function reduce(state: State, steps: readonly Step[], rules: Rules): readonly Step[] {
  const quiet = steps.find((step) => isQuiet(state, step, rules));
  return quiet ? [quiet] : steps;
}

function isQuiet(state: State, { happened, next }: Step, { scope }: Rules): boolean {
  switch (happened.name) {
    case 'tellAuthor':
      return requestAt(state, happened.request).status !== 'in_doubt';
    case 'withholdPost':
      return next.granted === state.granted;
    case 'recordOutcome':
      // Another worker of the same process would see the difference.
      return next.requests === state.requests && state.leases.length === state.workers.length;
    case 'endSending': {
      const { claim, replica } = workerAt(state, happened.worker);
      const isSafe = state.interruptions === scope.interruptions && isLeased(state, replica);
      return isSafe || !isHeld(state, claim);
    }
    default:
      return false;
  }
}

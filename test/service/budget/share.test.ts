import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import type { CallClass } from '../../../src/service/budget/call-class.ts';
import { budgetsInMemory, servedKeys, stopTheClock, times } from './served-keys.ts';

/** As in the budget: how long a call counts, and the share of calls for waiting links. */
const WINDOW_S = 64;
/** The service's usual limit per key and minute. */
const LIMIT = 60;
const SHARE_OF_LINKS = 1 / 5;
/** As in the gate: how long a person waits before being told to retry. */
const PERSON_WAITS_S = 5;

/** Who makes calls. */
type Caller = {
  callClass: CallClass;
  method: 'GET' | 'POST';
  /** Whether they retry when they are told to. */
  retries: boolean;
  /** How long they wait at most, in s, given how many arrive, as minutes' worth of calls. */
  boundS: (demand: number) => number;
};

/** One window until calls are available, one used up by earlier calls, and twice what theirs take. */
const windowsFor = (demand: number, share: number) =>
  (2 + 2 * Math.ceil(demand / share)) * WINDOW_S;

const PERSON: Caller = {
  callClass: 'person',
  method: 'GET',
  retries: false,
  boundS: () => PERSON_WAITS_S,
};
const SUBMISSION: Caller = {
  callClass: 'person',
  method: 'POST',
  retries: true,
  boundS: (demand) => windowsFor(demand, 1 - SHARE_OF_LINKS),
};
const LINK: Caller = {
  callClass: 'posted',
  method: 'GET',
  retries: true,
  boundS: (demand) => windowsFor(demand, SHARE_OF_LINKS),
};
const PREVIEW: Caller = {
  callClass: 'background',
  method: 'GET',
  retries: false,
  boundS: () => 0,
};

const STEP_MS = 500;
const STEPS_PER_S = 1_000 / STEP_MS;

/** How long a caller waited until the call began, or until it was told to retry and left, in s. */
type Waited = { caller: Caller; seconds: number; isOver: boolean };

/** Callers of one key before its gate. */
function callersOf(limit: number, takesMs: number) {
  const { call, pass } = servedKeys({ limit, store: budgetsInMemory({ limit }) });
  const waits: Waited[] = [];
  async function arrive(caller: Caller) {
    const arrivedAt = Date.now();
    const wait: Waited = { caller, seconds: 0, isOver: false };
    waits.push(wait);
    const end = async () => {
      if (wait.isOver) return;
      wait.isOver = true;
      wait.seconds = (Date.now() - arrivedAt) / 1_000;
    };
    while (!wait.isOver) {
      const { callClass, method } = caller;
      const { retryAt } = await call(callClass, { method, takesMs, frozen: end });
      if (!retryAt || !caller.retries) return end();
      await new Promise((resolve) => setTimeout(resolve, retryAt - Date.now()));
    }
  }
  return {
    waits,
    arrive,
    /** @param people who arrive at its beginning, and read something */
    async passOneStep(people = 0) {
      times(people, () => void arrive(PERSON));
      await pass(STEP_MS);
    },
  };
}

beforeEach(stopTheClock);

const arrival = fc.record({
  afterSteps: fc.integer({ min: 0, max: 20 }),
  caller: fc.constantFrom(LINK, LINK, SUBMISSION, PERSON, PREVIEW),
});

it('while people ask for more calls than there are, every call is made or refused within a bound', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(5, LIMIT, 600),
      fc.constantFrom(50, 3_000),
      fc.integer({ min: 1, max: 6 }),
      fc.array(arrival, { minLength: 1, maxLength: 20 }),
      async (limit, takesMs, people, arrivals) => {
        const { waits, arrive, passOneStep } = callersOf(limit, takesMs);
        const isWaiting = () => waits.some(({ caller, isOver }) => caller.retries && !isOver);
        for (const { afterSteps, caller } of arrivals) {
          for (let step = 0; step < afterSteps; step += 1) await passOneStep(people);
          void arrive(caller);
        }
        const bounds = new Map(
          [PERSON, SUBMISSION, LINK, PREVIEW].map((caller) => {
            const count = arrivals.filter((one) => one.caller === caller).length;
            return [caller, caller.boundS(count / limit)];
          }),
        );
        const lastS = Math.max(...bounds.values());
        for (let step = 0; step < lastS * STEPS_PER_S && isWaiting(); step += 1)
          await passOneStep(people);
        for (let step = 0; step <= PERSON_WAITS_S * STEPS_PER_S; step += 1) await passOneStep();
        expect(waits.filter(({ isOver }) => !isOver)).toEqual([]);
        const tooLong = waits.filter(
          ({ caller, seconds }) => seconds > (bounds.get(caller) ?? 0) + STEP_MS / 1_000,
        );
        expect(tooLong).toEqual([]);
      },
    ),
    { numRuns: 15 },
  );
}, 120_000);

it('waiting submissions find a call when they retry, while people go on reading', async () => {
  const { waits, arrive, passOneStep } = callersOf(LIMIT, 50);
  const passSeconds = async (seconds: number) => {
    for (let step = 0; step < seconds * STEPS_PER_S; step += 1) await passOneStep(3);
  };
  await passSeconds(PERSON_WAITS_S);
  // All calls of this minute are used at once, so all of the next minute's become available at once too.
  times(LIMIT / 3, () => void arrive(SUBMISSION));
  await passSeconds(1.5 * WINDOW_S);
  const submissions = waits.filter(({ caller }) => caller === SUBMISSION);
  expect(submissions.filter(({ isOver }) => !isOver)).toEqual([]);
});

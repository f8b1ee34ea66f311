import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { newBudget } from '../../../src/service/budget/budget.ts';
import type { CallClass, CallObserver } from '../../../src/service/budget/call-class.ts';
import { createGates } from '../../../src/service/budget/gate.ts';
import type { BudgetStore } from '../../../src/service/budget/shared-budget.ts';
import { DesignApiError } from '../../../src/service/errors.ts';
import type { Exchange } from '../../../src/service/http/exchange.ts';
import { createBudgetStore } from '../../../src/store/budgets.ts';
import { temporaryDatabase } from '../../store/sqlite-files.ts';

/** As in the budget: how long a call counts, and the share of calls for waiting links. */
const WINDOW_S = 64;
/** The service's usual limit per key and minute. */
const LIMIT = 60;
const SHARE_OF_LINKS = 1 / 5;
/** As in the queue: how long a person waits before being told to retry. */
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
  ...{ callClass: 'person', method: 'GET', retries: false },
  boundS: () => PERSON_WAITS_S,
};
const SUBMISSION: Caller = {
  ...{ callClass: 'person', method: 'POST', retries: true },
  boundS: (demand) => windowsFor(demand, 1 - SHARE_OF_LINKS),
};
const LINK: Caller = {
  ...{ callClass: 'posted', method: 'GET', retries: true },
  boundS: (demand) => windowsFor(demand, SHARE_OF_LINKS),
};
const PREVIEW: Caller = {
  ...{ callClass: 'background', method: 'GET', retries: false },
  boundS: () => 0,
};

const STEP_MS = 500;
const STEPS_PER_S = 1_000 / STEP_MS;
const ANSWER: Exchange = { kind: 'answer', status: 200, headers: {}, body: '{}' };

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** How long a caller waited until the call began, or until it was told to retry and left, in s. */
type Waited = { caller: Caller; seconds: number; isOver: boolean };

const observer: CallObserver = {
  ...{ call() {}, took() {}, keepsFailing() {}, works() {} },
  budgetFailed: expect.fail,
};

/** Callers of one key before its gate, on a clock that only `passTime` moves. */
async function callersOf(limit: number, takesMs: number) {
  const { db } = await temporaryDatabase();
  const now = () => new Date();
  const store = createBudgetStore(db);
  await store.replace('key', undefined, { ...newBudget(), limit }, { now: now(), aheadSeconds: 0 });
  const writing = new Set<Promise<unknown>>();
  const watched: BudgetStore = {
    read: store.read,
    replace(...replacement) {
      const write = store.replace(...replacement).finally(() => writing.delete(write));
      writing.add(write);
      return write;
    },
  };
  const gate = createGates({ store: watched, now, observer }).of('key');
  const waits: Waited[] = [];

  async function tryCall({ callClass, method }: Caller, onBegin: () => void) {
    try {
      await gate.pass({ operation: 'getCard', method, callClass }, async () => {
        onBegin();
        await sleep(takesMs);
        return ANSWER;
      });
      return undefined;
    } catch (error) {
      if (error instanceof DesignApiError && error.retryAt) return error.retryAt;
      throw error;
    }
  }

  return {
    waits,
    async arrive(caller: Caller) {
      const arrivedAt = Date.now();
      const wait: Waited = { caller, seconds: 0, isOver: false };
      waits.push(wait);
      const end = () => {
        wait.isOver = true;
        wait.seconds = (Date.now() - arrivedAt) / 1_000;
      };
      for (;;) {
        const retryAt = await tryCall(caller, end);
        if (wait.isOver) return;
        if (!retryAt || !caller.retries) return end();
        await sleep(retryAt.getTime() - Date.now());
      }
    },
    async passTime() {
      let isOver = false;
      void sleep(STEP_MS).then(() => {
        isOver = true;
      });
      while (!isOver) {
        await vi.advanceTimersToNextTimerAsync();
        // Otherwise this clock would overtake the disk.
        do await setImmediate();
        while (writing.size > 0);
      }
    },
  };
}

it('until the service names its limit, 60 calls are made in a minute', async () => {
  const { db } = await temporaryDatabase();
  const now = () => new Date(0);
  const { pass } = createGates({ store: createBudgetStore(db), now, observer }).of('key');
  const send = () =>
    pass({ operation: 'createCard', method: 'POST', callClass: 'person' }, async () => ANSWER);
  for (let count = 0; count < LIMIT; count += 1) await send();
  await expect(send()).rejects.toMatchObject({ code: 'rate_limited' });
});

describe('while people ask for more calls than there are', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
  });

  const arrival = fc.record({
    afterSteps: fc.integer({ min: 0, max: 20 }),
    caller: fc.constantFrom(LINK, LINK, SUBMISSION, PERSON, PREVIEW),
  });

  it('every call is made or refused within a bound, whoever arrives and when', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(5, LIMIT, 600),
        fc.constantFrom(50, 3_000),
        fc.integer({ min: 1, max: 6 }),
        fc.array(arrival, { minLength: 1, maxLength: 20 }),
        async (limit, takesMs, peoplePerStep, arrivals) => {
          const { waits, arrive, passTime } = await callersOf(limit, takesMs);
          const isWaiting = () => waits.some(({ caller, isOver }) => caller.retries && !isOver);
          async function passOneStep() {
            for (let count = 0; count < peoplePerStep; count += 1) void arrive(PERSON);
            await passTime();
          }
          for (const { afterSteps, caller } of arrivals) {
            for (let step = 0; step < afterSteps; step += 1) await passOneStep();
            void arrive(caller);
          }
          const bounds = new Map(
            [PERSON, SUBMISSION, LINK, PREVIEW].map((caller) => {
              const count = arrivals.filter((one) => one.caller === caller).length;
              return [caller, caller.boundS(count / limit)];
            }),
          );
          const lastS = Math.max(...bounds.values());
          for (let step = 0; step < lastS * STEPS_PER_S && isWaiting(); step += 1) {
            await passOneStep();
          }
          for (let step = 0; step <= PERSON_WAITS_S * STEPS_PER_S; step += 1) await passTime();
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
    const { waits, arrive, passTime } = await callersOf(LIMIT, 50);
    async function passSeconds(seconds: number) {
      for (let step = 0; step < seconds * STEPS_PER_S; step += 1) {
        for (let count = 0; count < 3; count += 1) void arrive(PERSON);
        await passTime();
      }
    }
    await passSeconds(PERSON_WAITS_S);
    // All calls of this minute are used at once, so all of the next minute's become available at once too.
    for (let count = 0; count < LIMIT / 3; count += 1) void arrive(SUBMISSION);
    await passSeconds(1.5 * WINDOW_S);
    const submissions = waits.filter(({ caller }) => caller === SUBMISSION);
    expect(submissions.filter(({ isOver }) => !isOver)).toEqual([]);
  });
});

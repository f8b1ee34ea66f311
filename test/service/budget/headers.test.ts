import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Budget,
  callsLeft,
  learn,
  newBudget,
  takeCall,
} from '../../../src/service/budget/budget.ts';
import { budgetedService, type CallResult, START } from './budgeted-service.ts';

const MINUTE_MS = 60_000;
const refused = (results: readonly CallResult[]) =>
  results.filter(({ code }) => code !== 'answered').length;
const times = <Item>(count: number, make: () => Item) => Array.from({ length: count }, make);

describe('the limit that the service announces', () => {
  it('is respected at once when it is lower', async () => {
    const { design, startReplica } = await budgetedService();
    const { call } = await startReplica();
    await call('person');
    design.limitKey(design.apiKey, 20);
    await call('person');
    const results = await Promise.all(times(30, () => call('person')));
    expect(refused(results)).toBe(12);
    expect(design.largestWindow()).toBe(20);
  });

  it('is used when it is higher', async () => {
    const { design, startReplica } = await budgetedService({ requestsPerMinute: 200 });
    const { call } = await startReplica();
    await call('person');
    for (let round = 0; round < 2; round += 1) {
      expect(refused(await Promise.all(times(90, () => call('person'))))).toBe(0);
    }
    expect(design.calls().filter(({ status }) => status === 429)).toEqual([]);
  });

  it('is still known after a restart', async () => {
    const { design, startReplica, advance } = await budgetedService({ requestsPerMinute: 5 });
    const before = await startReplica();
    await before.call('person');
    await before.end();
    await advance(2 * MINUTE_MS);
    const after = await startReplica();
    await Promise.all(times(30, () => after.call('person')));
    expect(design.largestWindow()).toBe(5);
  });

  it('overrides our own count if another client uses the key, until its window resets', async () => {
    const { design, startReplica, advance } = await budgetedService({ window: 'fixed' });
    const { call } = await startReplica();
    const elsewhere = () =>
      fetch(`${design.url}/tags`, { headers: { 'x-api-key': design.apiKey } });
    for (let calls = 0; calls < 50; calls += 1) await elsewhere();
    await call('person');
    const results: CallResult[] = [];
    for (let calls = 0; calls < 20; calls += 1) results.push(await call('person'));
    expect(refused(results)).toBe(11);
    expect(design.calls().filter(({ status }) => status === 429)).toEqual([]);
    await advance(MINUTE_MS + 1_000);
    expect((await call('person')).code).toBe('answered');
  });
});

const ASKING = {
  ...({ kind: 'person', isDue: false, expected: { submissions: 0, links: 0 } } as const),
};
const ENDED_AT_START = {
  ...({ kind: 'person', grantedAt: START, endedAt: START, inFlight: 0, busyUntil: 0 } as const),
};

function budgetAfter(calls: number): Budget {
  let budget = newBudget();
  for (let call = 0; call < calls; call += 1) {
    const taken = takeCall(budget, ASKING, START);
    if ('budget' in taken) budget = taken.budget;
  }
  return budget;
}

describe('impossible rate limit headers', () => {
  it('never stop calls for longer than a minute, and never allow more than they say', () => {
    const number = fc.oneof(
      fc.constantFrom(0, 1, 59, 60, 1e9, 999_999_999_999_999),
      fc.nat({ max: 500 }),
    );
    const said = fc.record(
      {
        limit: number,
        remaining: number,
        resetAt: fc
          .oneof(fc.constantFrom(-1e10, -1, 0, 1, 1e10), fc.integer({ min: -7e6, max: 7e6 }))
          .map((ms) => new Date(START + ms)),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(said, { maxLength: 20 }), fc.nat({ max: 90 }), (all, taken) => {
        let budget = budgetAfter(taken);
        for (const headers of all) {
          budget = learn(budget, { ...ENDED_AT_START, ...headers });
          expect(budget.limit).toBeGreaterThanOrEqual(1);
          expect(budget.limit).toBeLessThanOrEqual(60_000);
          const isAhead = headers.resetAt !== undefined && headers.resetAt.getTime() > START;
          if (headers.remaining !== undefined && isAhead) {
            expect(callsLeft(budget, START)).toBeLessThanOrEqual(headers.remaining);
          }
        }
        expect(callsLeft(budget, START + MINUTE_MS + 4_001)).toBe(budget.limit);
      }),
    );
  });
});

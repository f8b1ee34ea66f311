import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CALL_CLASSES } from '../../../src/service/budget/call-class.ts';
import { fingerprintOf } from '../../../src/store/api-keys.ts';
import {
  type BudgetedService,
  budgetedService,
  type CallResult,
  type Replica,
} from './budgeted-service.ts';

const refusals = (results: readonly CallResult[]) =>
  results.filter(({ code }) => code !== 'answered');

/** A burst of calls of one class by one replica, and the time that passes after it. */
const burst = fc.record({
  callClass: fc.constantFrom(...CALL_CLASSES),
  calls: fc.integer({ min: 1, max: 9 }),
  replica: fc.integer({ min: 0, max: 1 }),
  restarts: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
  thenMs: fc.constantFrom(0, 0, 1, 40, 700, 1_500, 4_000, 17_000, 59_000, 61_000),
});

type Burst = typeof burst extends fc.Arbitrary<infer One> ? One : never;

/** Plays the bursts in turn; most of their calls are in progress when the clock moves. */
async function play(service: BudgetedService, bursts: readonly Burst[]): Promise<void> {
  const { startReplica, advance, settle } = service;
  const first = await startReplica();
  // The limit is known from the first answer; until then the usual one is assumed.
  await first.call('person');
  const replicas: Replica[] = [first, await startReplica()];
  const results: Promise<CallResult>[] = [];
  for (const { callClass, calls, replica, restarts, thenMs } of bursts) {
    const one = (restarts ? undefined : replicas[replica]) ?? (await startReplica());
    replicas[replica] = one;
    for (let call = 0; call < calls; call += 1) results.push(one.call(callClass));
    await advance(thenMs);
  }
  const last = Promise.all(results);
  for (let time = 0; time < 3; time += 1) {
    await advance(6_000);
    await settle();
  }
  await last;
}

describe('in any 60 seconds', () => {
  it('no more calls arrive than the key allows, whoever calls when, across restarts and replicas', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom('fixed' as const, 'sliding' as const),
        fc.array(burst, { minLength: 10, maxLength: 50 }),
        async (limit, window, bursts) => {
          const service = await budgetedService({ requestsPerMinute: limit, window });
          await play(service, bursts);
          expect(service.design.largestWindow()).toBeLessThanOrEqual(limit);
          expect(service.design.calls().filter(({ status }) => status === 429)).toEqual([]);
        },
      ),
      { numRuns: 8 },
    );
  }, 120_000);

  it('people get all of them, and further people are told when to retry', async () => {
    const { design, startReplica, clock } = await budgetedService();
    const { call } = await startReplica();
    const results = await Promise.all(Array.from({ length: 70 }, () => call('person')));
    expect(design.ledger).toHaveLength(60);
    expect(refusals(results)).toHaveLength(10);
    for (const { code, retryAt = 0 } of refusals(results)) {
      expect(code).toBe('rate_limited');
      expect(retryAt - clock.now).toBeGreaterThan(60_000);
      expect(retryAt - clock.now).toBeLessThan(66_000);
    }
  });

  it('two workspaces with one key share its calls, and another key has its own', async () => {
    const { design, startReplica } = await budgetedService({ requestsPerMinute: 10 });
    const { call } = await startReplica();
    const other = design.issueKey();
    await call('person');
    await call('person', { key: other });
    const both = await Promise.all(Array.from({ length: 30 }, () => call('person')));
    expect(refusals(both)).toHaveLength(21);
    expect(await call('person', { key: other })).toEqual({ code: 'answered' });
    expect(design.calls({ keyFingerprint: fingerprintOf(other) })).toHaveLength(2);
  });

  it('calls used before a restart still count after it, until they expire', async () => {
    const { design, startReplica, advance } = await budgetedService();
    const before = await startReplica();
    await Promise.all(Array.from({ length: 60 }, () => before.call('person')));
    await before.end();
    const after = await startReplica();
    expect((await after.call('person')).code).toBe('rate_limited');
    await advance(58_000);
    expect((await after.call('person')).code).toBe('rate_limited');
    await advance(7_000);
    expect((await after.call('person')).code).toBe('answered');
    expect(design.ledger).toHaveLength(61);
  });

  it('two concurrent replicas get together as many as one would', async () => {
    const { design, startReplica } = await budgetedService();
    const replicas = await Promise.all([startReplica(), startReplica(), startReplica()]);
    await Promise.all(
      Array.from({ length: 90 }, (_, index) => replicas[index % 3]?.call('person')),
    );
    expect(design.ledger).toHaveLength(60);
  });

  it('every retry of a read and every creation counts', async () => {
    const { design, startReplica } = await budgetedService({ requestsPerMinute: 10 });
    const { call, api } = await startReplica();
    await call('person');
    design.faults.add({ operation: 'getCard', kind: 'status', status: 503 });
    await call('person');
    expect(design.ledger).toHaveLength(5);
    const card = {
      ...{ title: 'Spring', description: 'A banner', typeId: 'type-social', product: 'Graphics' },
      ...{ dimension: '1 × 1', software: 'Figma', fileFormats: 'PNG' },
    };
    for (let created = 0; created < 5; created += 1) await api('person').createCard(card);
    await expect(api('person').createCard(card)).rejects.toMatchObject({ code: 'rate_limited' });
    // A read isn't retried without budget: the original failure is reported.
    design.faults.clear();
    expect(design.ledger).toHaveLength(10);
  });

  it('a long call counts from its end, since its time of arrival is unknown', async () => {
    const { design, startReplica, advance } = await budgetedService({ requestsPerMinute: 1 });
    const { call } = await startReplica();
    design.faults.add({ kind: 'slow-drip', bytesPerSecond: 4_000, times: 1 });
    const slow = call('person');
    await expect.poll(() => design.ledger.length).toBe(1);
    await advance(9_000);
    expect((await slow).code).toBe('answered');
    await advance(56_000);
    expect((await call('person')).code).toBe('rate_limited');
    await advance(9_000);
    expect((await call('person')).code).toBe('answered');
  });

  it('a database that takes seconds for each statement delays calls, and stops none', async () => {
    const { design, clock, startReplica } = await budgetedService({ requestsPerMinute: 2 });
    const { call } = await startReplica((kept) => ({
      ...kept,
      async replace(...replacement) {
        const revision = await kept.replace(...replacement);
        clock.now += 4_000;
        return revision;
      },
    }));
    expect((await call('person')).code).toBe('answered');
    expect((await call('person')).code).toBe('answered');
    expect((await call('person')).code).toBe('rate_limited');
    expect(design.ledger).toHaveLength(2);
  });

  it('no call is made if its grant can’t be stored', async () => {
    const { design, startReplica } = await budgetedService();
    const { call } = await startReplica((kept) => ({
      ...kept,
      replace: () => Promise.reject(new Error('disk full')),
    }));
    expect((await call('person')).code).toBe('rate_limited');
    expect((await call('posted')).code).toBe('rate_limited');
    expect(design.ledger).toEqual([]);
  });
});

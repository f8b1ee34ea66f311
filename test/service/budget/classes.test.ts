import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../../src/store/api-keys.ts';
import { budgetedService, type CallResult } from './budgeted-service.ts';

const answered = (results: readonly CallResult[]) =>
  results.filter(({ code }) => code === 'answered').length;
const times = <Item>(count: number, make: () => Item) => Array.from({ length: count }, make);

describe('when a key runs short of calls', () => {
  it('each class leaves some to those above it', async () => {
    const { startReplica } = await budgetedService();
    const { call } = await startReplica();
    const used: number[] = [];
    for (const callClass of ['watch', 'background', 'posted', 'person'] as const) {
      let taken = 0;
      while ((await call(callClass)).code === 'answered') taken += 1;
      used.push(taken);
    }
    // Of 60: six tenths, four tenths, and one tenth are left to others.
    expect(used).toEqual([24, 12, 18, 6]);
  });

  it('a key with one call per minute still has one for every class', async () => {
    const { startReplica, advance } = await budgetedService({ requestsPerMinute: 1 });
    const { call } = await startReplica();
    await call('person');
    for (const callClass of ['watch', 'background', 'posted'] as const) {
      await advance(65_000);
      expect((await call(callClass)).code).toBe('answered');
    }
  });

  it('a person waits a moment for the next call, and gets it before any link that asks meanwhile', async () => {
    const { design, startReplica, advance } = await budgetedService();
    const { call, seen } = await startReplica();
    await Promise.all(times(60, () => call('person')));
    await advance(60_000);
    const waiting = call('person', { use: (api) => api.listTags() });
    await expect.poll(() => seen.some(({ outcome }) => outcome === 'delayed')).toBe(true);
    const link = await call('posted');
    expect(link.code).toBe('rate_limited');
    expect(design.ledger).toHaveLength(60);
    await advance(4_000);
    expect((await waiting).code).toBe('answered');
    expect(design.ledger.at(60)?.operation).toBe('listTags');
  });

  it('a person doesn’t wait for a call that comes too late, or after cancelling', async () => {
    const { startReplica, advance } = await budgetedService();
    const { call } = await startReplica();
    await Promise.all(times(60, () => call('person')));
    expect((await call('person')).code).toBe('rate_limited');
    await advance(60_000);
    const leaving = new AbortController();
    const waiting = call('person', {
      use: (api) => api.getCard('card-1001', { signal: leaving.signal }),
    });
    leaving.abort();
    expect((await waiting).code).toBe('rate_limited');
  });

  it('calls that nobody waits for are skipped at once', async () => {
    const { startReplica, advance } = await budgetedService();
    const { call, seen } = await startReplica();
    await Promise.all(times(60, () => call('person')));
    await advance(60_000);
    expect((await call('background')).code).toBe('rate_limited');
    expect((await call('watch')).code).toBe('rate_limited');
    const outcomes = seen.filter(({ callClass }) => callClass !== 'person');
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['shed', 'shed']);
  });
});

describe('links without budget', () => {
  it('get different retry times, in their order, as far apart as the budget refills', async () => {
    const { startReplica } = await budgetedService();
    const { call } = await startReplica();
    await Promise.all(times(60, () => call('person')));
    const moments: number[] = [];
    for (const result of await Promise.all(times(200, () => call('posted')))) {
      if (result.retryAt !== undefined) moments.push(result.retryAt);
    }
    expect(moments).toHaveLength(200);
    const sorted = moments.toSorted((one, other) => one - other);
    const gaps = sorted.slice(1).map((at, index) => at - (sorted[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(1_300);
  });

  it('are served when they retry on time, even if others ask in between', async () => {
    const { design, startReplica, advance, clock } = await budgetedService();
    const { call } = await startReplica();
    await Promise.all(times(60, () => call('person')));
    const told = await Promise.all(times(80, () => call('posted')));
    const all = told.map(({ retryAt = 0 }) => retryAt).sort((one, other) => one - other);
    const moments = all.slice(0, 12);
    const results: CallResult[] = [];
    for (const moment of moments) {
      await advance(moment - 200 - clock.now);
      // There would be calls for a new link, but not for all that wait, so it goes to the end.
      const newcomer = await call('posted');
      expect(newcomer.retryAt).toBeGreaterThan(all.at(-1) ?? 0);
      await advance(moment - clock.now);
      results.push(await call('posted'));
    }
    expect(answered(results)).toBe(12);
    expect(design.largestWindow()).toBeLessThanOrEqual(60);
  });
});

it('while links wait, people leave them a fifth of the calls', async () => {
  const { startReplica, advance } = await budgetedService();
  const { call } = await startReplica();
  await Promise.all(times(60, () => call('person')));
  const told = await Promise.all(times(20, () => call('posted')));
  expect(answered(told)).toBe(0);
  // All calls are free again, and the first links are about to return.
  await advance(64_500);
  expect(answered(await Promise.all(times(60, () => call('person'))))).toBe(48);
  expect(answered(await Promise.all(times(20, () => call('posted'))))).toBeGreaterThan(0);
});

describe('a service that stalls', () => {
  it('has few concurrent calls per key, and people get through beside links', async () => {
    const { design, startReplica } = await budgetedService();
    const { call } = await startReplica();
    design.faults.add({ operation: 'getCard', kind: 'hang' });
    const links = times(40, () => call('posted'));
    await expect.poll(() => design.ledger.length).toBe(6);
    const person = await call('person', { use: (api) => api.listTags() });
    expect(person.code).toBe('answered');
    expect(design.calls({ operation: 'getCard' })).toHaveLength(6);
    await design.close();
    expect(answered(await Promise.all(links))).toBe(0);
  });

  it('doesn’t delay another key', async () => {
    const { design, startReplica } = await budgetedService();
    const { call } = await startReplica();
    const key = design.issueKey();
    design.faults.add({ kind: 'hang', key: design.apiKey });
    const stuck = times(40, () => call('person'));
    await expect.poll(() => design.ledger.length).toBe(10);
    const other = await Promise.all(times(10, () => call('posted', { key })));
    expect(answered(other)).toBe(10);
    expect(design.calls({ keyFingerprint: fingerprintOf(design.apiKey) })).toHaveLength(10);
    await design.close();
    await Promise.all(stuck);
  });
});

describe('calls waiting for a slot', () => {
  it('are limited: further people are told to retry, and calls that nobody waits for don’t wait', async () => {
    const { design, startReplica } = await budgetedService({ requestsPerMinute: 1_000 });
    const { call, gates } = await startReplica();
    await call('person');
    design.faults.add({ kind: 'hang' });
    const people = times(150, () => call('person'));
    expect(gates.of(fingerprintOf(design.apiKey)).state().waiting('person')).toBeLessThanOrEqual(
      100,
    );
    expect((await Promise.race(people)).code).toBe('rate_limited');
    expect((await call('background')).code).toBe('rate_limited');
    expect(design.ledger.length).toBeLessThanOrEqual(11);
    await expect.poll(() => design.ledger.length).toBe(11);
    design.faults.clear();
    await design.close();
    const results = await Promise.all(people);
    expect(results.filter(({ code }) => code === 'rate_limited').length).toBeGreaterThanOrEqual(40);
  });
});

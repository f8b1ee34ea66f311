import { describe, expect, it } from 'vitest';
import { budgetedService } from './budgeted-service.ts';

const times = <Item>(count: number, make: () => Item) => Array.from({ length: count }, make);

/** A service that answered 503 often enough to open the breaker; only card reads are affected. */
async function failingService() {
  const service = await budgetedService();
  const replica = await service.startReplica();
  service.design.faults.add({ operation: 'getCard', kind: 'status', status: 503 });
  await replica.call('person');
  await replica.call('person');
  const callsSoFar = service.design.ledger.length;
  return { ...service, ...replica, callsSoFar };
}

describe('a service that keeps failing', () => {
  it('gets no calls that can wait, and links are told when to retry', async () => {
    const { design, call, callsSoFar, clock } = await failingService();
    const link = await call('posted');
    expect(link.code).toBe('unavailable');
    expect(link.retryAt ?? 0).toBeGreaterThan(clock.now);
    expect((await call('background')).code).toBe('unavailable');
    expect((await call('watch')).code).toBe('unavailable');
    expect(design.ledger).toHaveLength(callsSoFar);
  });

  it.each([
    ['an answer', { kind: 'hang' }],
    ['its last byte', { kind: 'slow-drip', bytesPerSecond: 20 }],
  ] as const)('has failed, too, for whoever waited in vain for %s', async (_, fault) => {
    const service = await budgetedService();
    const { call } = await service.startReplica();
    service.design.faults.add({ operation: 'getCard', ...fault });
    const wait = () =>
      call('person', {
        use: (api) => api.getCard('card-1001', { signal: AbortSignal.timeout(500) }),
      });
    for (const _ of times(5, () => 0)) expect((await wait()).code).toBe('timed_out');
    const link = await call('posted');
    expect(link).toMatchObject({ code: 'unavailable', retryAt: expect.anything() });
  });

  it('is still called for a person, and that answer closes the breaker', async () => {
    const { design, call, callsSoFar } = await failingService();
    const person = await call('person', { use: (api) => api.listTags() });
    expect(person.code).toBe('answered');
    expect(design.ledger).toHaveLength(callsSoFar + 1);
    design.faults.clear();
    expect((await call('posted')).code).toBe('answered');
    expect((await call('background')).code).toBe('answered');
  });

  it('is tried with one link after a pause, and with the others once that succeeded', async () => {
    const { design, call, callsSoFar, advance } = await failingService();
    await advance(61_000);
    design.faults.clear();
    design.faults.add({ operation: 'getCard', kind: 'stall', ms: 60 });
    const results = await Promise.all(times(5, () => call('posted')));
    expect(results.filter(({ code }) => code === 'answered')).toHaveLength(1);
    expect(design.ledger).toHaveLength(callsSoFar + 1);
    expect((await call('posted')).code).toBe('answered');
  });

  it.each(['posted', 'background', 'watch'] as const)(
    'recovers after a pause even if only calls of the class %s are made',
    async (callClass) => {
      const { design, call, advance } = await failingService();
      design.faults.clear();
      await advance(61_000);
      expect((await call(callClass)).code).toBe('answered');
      expect((await call('posted')).code).toBe('answered');
    },
  );

  it('gets a longer pause if the try fails too', async () => {
    const { design, call, advance } = await failingService();
    await advance(5_000);
    await call('posted');
    const afterTry = design.ledger.length;
    await advance(5_001);
    expect((await call('posted')).code).toBe('unavailable');
    expect(design.ledger).toHaveLength(afterTry);
    await advance(5_000);
    await call('posted');
    expect(design.ledger.length).toBeGreaterThan(afterTry);
  });

  it('doesn’t affect another key', async () => {
    const { design, call } = await failingService();
    design.faults.clear();
    expect((await call('posted', { key: design.issueKey() })).code).toBe('answered');
  });
});

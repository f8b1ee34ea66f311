import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import {
  answered,
  budgetsInMemory,
  type CallResult,
  HOUR_MS,
  MINUTE_MS,
  servedKeys,
  stopTheClock,
  times,
} from './served-keys.ts';

beforeEach(stopTheClock);

const KINDS = [
  { method: 'POST', callClass: 'person' },
  { method: 'GET', callClass: 'person' },
  { method: 'GET', callClass: 'posted' },
  { method: 'GET', callClass: 'background' },
  { method: 'GET', callClass: 'watch' },
] as const;

const burst = fc.record({
  kind: fc.constantFrom(...KINDS),
  calls: fc.integer({ min: 1, max: 20 }),
  replica: fc.integer({ min: 0, max: 2 }),
  restarts: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
  arrivesAfterMs: fc.integer({ min: 0, max: 1_900 }),
  takesMs: fc.constantFrom(0, 50, 3_000, 9_000),
  setBackMs: fc.constantFrom(0, 0, 0, 0, 30_000, HOUR_MS),
  thenMs: fc.constantFrom(0, 1, 40, 700, 1_500, 4_000, 17_000, 59_000, 61_000),
});

it('in any minute no more calls arrive than allowed, across replicas, restarts, and a clock that is set back', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 60 }),
      fc.constantFrom('fixed' as const, 'sliding' as const),
      fc.boolean(),
      fc.constantFrom(0, 5, 400, 5_000),
      fc.array(burst, { minLength: 5, maxLength: 30 }),
      async (limit, window, isAnnounced, takesMs, bursts) => {
        const store = budgetsInMemory({ limit, takesMs });
        const { start, pass, setBack, arrivals, most } = servedKeys({
          limit,
          window,
          isAnnounced,
          store,
        });
        const replicas = times(3, () => start());
        const calls: Promise<CallResult>[] = [];
        for (const { kind, replica, ...one } of bursts) {
          if (one.restarts) replicas[replica] = start();
          const { call } = replicas[replica] ?? start();
          calls.push(...times(one.calls, () => call(kind.callClass, { ...kind, ...one })));
          await pass(one.thenMs);
          setBack(one.setBackMs);
        }
        const end = Promise.all(calls);
        await pass(80 * MINUTE_MS);
        await end;
        expect(most()).toBeLessThanOrEqual(limit);
        expect(arrivals.filter(({ status }) => status === 429)).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
}, 120_000);

it('an answer that is stored after the clock was set back lets no other call be forgotten', async () => {
  const LIMIT = 11;
  const store = budgetsInMemory({ limit: LIMIT, takesMs: 400 });
  const { call, pass, setBack, arrivals } = servedKeys({
    limit: LIMIT,
    store,
    isAnnounced: false,
  });
  const send = (calls: number, takesMs = 0) =>
    void times(calls, () => call('person', { method: 'POST', takesMs }));
  send(1, 20_000);
  send(LIMIT - 2);
  await pass(20_600);
  // The answer waits for its turn, because the grant of this call is being stored.
  send(1);
  await pass(300);
  setBack(HOUR_MS);
  await pass(2_000);
  send(LIMIT);
  await pass(10_000);
  expect(arrivals).toHaveLength(LIMIT);
});

it.each([
  ['forward', -HOUR_MS],
  ['back', HOUR_MS],
])('two minutes after it meets a clock set %s by an hour, all calls may be made', async (_, ms) => {
  const { call, pass, setBack } = servedKeys({ isAnnounced: false });
  async function sendAll() {
    const results: CallResult[] = [];
    while (results.length < 60) {
      results.push(await call('person', { method: 'POST' }));
      await pass(1);
    }
    return answered(results);
  }
  expect(await sendAll()).toBe(60);
  setBack(ms);
  await sendAll();
  await pass(2 * MINUTE_MS);
  expect(await sendAll()).toBe(60);
});

import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { callsLeft, learn, newBudget, takeCall } from '../../../src/service/budget/budget.ts';
import type { Exchange } from '../../../src/service/http/exchange.ts';
import {
  answered,
  answerWith,
  budgetsInMemory,
  type CallResult,
  HOUR_MS,
  MINUTE_MS,
  START,
  servedKeys,
  stopTheClock,
  times,
  together,
  unobserved,
} from './served-keys.ts';

beforeEach(stopTheClock);

const hang = () => new Promise<never>(() => undefined);

const retryTimes = (results: readonly CallResult[]) =>
  results.map(({ retryAt = 0 }) => retryAt).toSorted((one, other) => one - other);

/** A key whose calls were all made at the start. */
async function usedUp() {
  const key = servedKeys();
  await together(60, () => key.call('person'));
  return key;
}

describe('in any minute', () => {
  it('people get all calls of a key, and further people are told when to retry', async () => {
    const { call, arrivals } = servedKeys();
    const results = await together(70, () => call('person'));
    expect(arrivals).toHaveLength(60);
    for (const { code, retryAt = 0 } of results.slice(60)) {
      expect(code).toBe('rate_limited');
      expect(retryAt - START).toBeGreaterThan(60_000);
      expect(retryAt - START).toBeLessThan(66_000);
    }
  });

  it('a long call counts from its end, since its time of arrival is unknown', async () => {
    const { call, pass } = servedKeys({ limit: 1 });
    const slow = call('person', { takesMs: 9_000 });
    await pass(9_000);
    expect((await slow).code).toBe('answered');
    await pass(56_000);
    expect((await call('person')).code).toBe('rate_limited');
    await pass(9_000);
    expect((await call('person')).code).toBe('answered');
  });

  it('a database that takes seconds for each statement delays calls, and stops none', async () => {
    const store = budgetsInMemory({ limit: 2, takesMs: 4_000 });
    const { call, pass } = servedKeys({ limit: 2, store });
    const codes: string[] = [];
    for (const _ of '123') {
      void call('person').then(({ code }) => codes.push(code));
      await pass(13_000);
    }
    expect(codes).toEqual(['answered', 'answered', 'rate_limited']);
  });

  it('no call is made if its grant can’t be stored', async () => {
    const { arrivals, start } = servedKeys();
    const full = { ...budgetsInMemory(), replace: () => Promise.reject(new Error('disk full')) };
    const { call } = start(full, { ...unobserved, budgetFailed() {} });
    expect((await call('person')).code).toBe('rate_limited');
    expect((await call('posted')).code).toBe('rate_limited');
    expect(arrivals).toEqual([]);
  });
});

describe('a call whose process is frozen after the grant', () => {
  it.each([
    ['GET', 65_000, 'withheld'],
    ['POST', 65_000, 'withheld'],
    ['GET', 20_000, 'answered'],
    ['POST', 20_000, 'answered'],
  ] as const)('is sent only if that still counts: %s, %i ms', async (method, ms, code) => {
    const { call, pass, most } = servedKeys({ limit: 3, store: budgetsInMemory({ limit: 3 }) });
    const frozen = async () => {
      await pass(ms);
      await together(3, () => call('posted'));
    };
    expect([await call('posted', { method, frozen }), most()]).toEqual([{ code }, 3]);
  });
});

describe('when a key runs short of calls', () => {
  it('each class leaves some to those above it', async () => {
    const { call } = servedKeys();
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
    const { call, pass } = servedKeys({ limit: 1 });
    await call('person');
    for (const callClass of ['watch', 'background', 'posted'] as const) {
      await pass(65_000);
      expect((await call(callClass)).code).toBe('answered');
    }
  });

  it('a person waits a moment for the next call, and gets it before any link that asks meanwhile', async () => {
    const { call, pass, arrivals } = await usedUp();
    await pass(60_000);
    const waiting = call('person');
    await pass(0);
    expect((await call('posted')).code).toBe('rate_limited');
    expect(arrivals).toHaveLength(60);
    await pass(4_000);
    expect((await waiting).code).toBe('answered');
    expect(arrivals.at(60)?.callClass).toBe('person');
  });

  it('a person doesn’t wait for a call that comes too late, or after cancelling', async () => {
    const { call, pass } = await usedUp();
    expect((await call('person')).code).toBe('rate_limited');
    await pass(60_000);
    const leaving = new AbortController();
    const waiting = call('person', { signal: leaving.signal });
    leaving.abort();
    await pass(200);
    expect((await waiting).code).toBe('rate_limited');
  });

  it('calls that nobody waits for are skipped at once', async () => {
    const { call, pass, seen } = await usedUp();
    await pass(60_000);
    expect((await call('background')).code).toBe('rate_limited');
    expect((await call('watch')).code).toBe('rate_limited');
    expect(seen.slice(-2)).toEqual(['background shed', 'watch shed']);
  });

  it('links get different retry times, in their order, as far apart as the budget refills', async () => {
    const { call } = await usedUp();
    const moments = retryTimes(await together(200, () => call('posted')));
    const gaps = moments.slice(1).map((at, index) => at - (moments[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(1_300);
  });

  it('links are served when they retry on time, even if others ask in between', async () => {
    const { call, pass, most } = await usedUp();
    const moments = retryTimes(await together(80, () => call('posted')));
    const results: CallResult[] = [];
    for (const moment of moments.slice(0, 12)) {
      await pass(moment - 200 - Date.now());
      // There would be calls for a new link, but not for all that wait, so it goes to the end.
      const newcomer = await call('posted');
      expect(newcomer.retryAt).toBeGreaterThan(moments.at(-1) ?? 0);
      await pass(moment - Date.now());
      results.push(await call('posted'));
    }
    expect(answered(results)).toBe(12);
    expect(most()).toBeLessThanOrEqual(60);
  });
});

describe('a service that stalls', () => {
  it('has few concurrent calls per key, people get through beside links, and another key isn’t delayed', async () => {
    const { call, pass, arrivals, service } = servedKeys();
    service.answer = (callClass, key) =>
      key === 'key' && callClass === 'posted' ? hang() : undefined;
    const links: CallResult[] = [];
    times(40, () => void call('posted').then((link) => links.push(link)));
    await pass(0);
    expect(arrivals).toHaveLength(6);
    expect((await call('person')).code).toBe('answered');
    service.answer = (_, key) => (key === 'key' ? hang() : undefined);
    times(40, () => void call('person'));
    await pass(1_100);
    expect(arrivals).toHaveLength(1 + 10);
    expect(links.map(({ code }) => code)).toEqual(times(34, () => 'rate_limited'));
    const other = await together(10, () => call('posted', { key: 'other' }));
    expect(answered(other)).toBe(10);
  });

  it('leaves links two slots of their own while people’s reads take the others', async () => {
    const { call, pass, arrivals, service } = servedKeys();
    service.answer = hang;
    times(20, () => void call('person'));
    await pass(1_100);
    times(20, () => void call('posted'));
    await pass(0);
    const classes = arrivals.map(({ callClass }) => callClass);
    expect(classes).toEqual([...times(10, () => 'person'), 'posted', 'posted']);
  });

  it('has a limited number of people waiting; the others, and whoever doesn’t wait, are told to retry', async () => {
    const { call, pass, arrivals, gates, service } = servedKeys({ limit: 1_000 });
    await call('person');
    service.answer = hang;
    const told: CallResult[] = [];
    times(150, () => void call('person').then((one) => told.push(one)));
    await pass(0);
    expect(gates.of('key').state().waiting('person')).toBe(100);
    expect(told.map(({ code }) => code)).toEqual(times(40, () => 'rate_limited'));
    expect((await call('background')).code).toBe('rate_limited');
    await pass(6_000);
    expect(told).toHaveLength(140);
    expect(arrivals).toHaveLength(1 + 10);
  });
});

describe('a service that keeps failing', () => {
  const fails = () => answerWith(503);

  /** The breaker has just opened. */
  async function failing(answer: () => Exchange = fails) {
    const key = servedKeys();
    key.service.answer = answer;
    for (const _ of 'often') await key.call('person');
    return { ...key, repair: () => Object.assign(key.service, { answer: () => undefined }) };
  }

  it.each<[string, () => Exchange]>([
    ['with errors', fails],
    ['by not answering', () => ({ kind: 'fault', sent: true, fault: 'timed_out', reason: '' })],
    [
      'to end its answers',
      () => ({ ...answerWith(200), broken: { fault: 'timed_out', reason: '' } }) as Exchange,
    ],
  ])('%s gets no calls that can wait, and links are told when to retry', async (_, answer) => {
    const { call, arrivals } = await failing(answer);
    for (const callClass of ['posted', 'background', 'watch'] as const) {
      const { code, retryAt = 0 } = await call(callClass);
      expect([code, retryAt > START]).toEqual(['unavailable', true]);
    }
    expect(arrivals).toHaveLength(5);
  });

  it('is not one whose callers leave', async () => {
    const left: Exchange = { kind: 'fault', sent: true, fault: 'aborted', reason: '' };
    const { call, repair } = await failing(() => left);
    repair();
    expect((await call('posted')).code).toBe('answered');
  });

  it('is still called for a person, and that answer closes the breaker; another key isn’t affected', async () => {
    const { call, repair } = await failing();
    repair();
    expect((await call('posted', { key: 'other' })).code).toBe('answered');
    expect((await call('posted')).code).toBe('unavailable');
    expect((await call('person')).code).toBe('answered');
    expect((await call('posted')).code).toBe('answered');
  });

  it.each(['posted', 'background', 'watch'] as const)(
    'is tried with one call of the class %s after a pause, and with the others once that succeeded',
    async (callClass) => {
      const { call, pass, repair } = await failing();
      await pass(5_000);
      repair();
      const trial = call(callClass, { takesMs: 60 });
      expect(answered(await together(4, () => call('posted')))).toBe(0);
      await pass(60);
      expect([await trial, await call('posted')]).toEqual(times(2, () => ({ code: 'answered' })));
    },
  );
});

describe('the limit that the service announces', () => {
  it('is respected at once when it is lower', async () => {
    const { call, service, most } = servedKeys();
    await call('person');
    service.limit = 20;
    await call('person');
    expect(answered(await together(30, () => call('person')))).toBe(18);
    expect(most()).toBe(20);
  });

  it('is used when it is higher', async () => {
    const { call } = servedKeys({ limit: 200 });
    await call('person');
    for (const _ of 'ab') expect(answered(await together(90, () => call('person')))).toBe(90);
  });

  it('is still known after a restart', async () => {
    const { call, start, pass, most } = servedKeys({ limit: 5 });
    await call('person');
    await pass(2 * MINUTE_MS);
    const after = start();
    await together(30, () => after.call('person'));
    expect(most()).toBe(5);
  });

  it('overrides our own count if another client uses the key, until its window resets', async () => {
    const { call, pass, service } = servedKeys({ window: 'fixed' });
    times(50, service.callElsewhere);
    const results = [await call('person')];
    while (results.length < 21) results.push(await call('person'));
    expect(results.map(({ code }) => code)).toEqual([
      ...times(10, () => 'answered'),
      ...times(11, () => 'rate_limited'),
    ]);
    await pass(MINUTE_MS + 1_000);
    expect((await call('person')).code).toBe('answered');
  });

  it('never stops calls for longer than a minute, and never allows more than it says, whatever that is', () => {
    const asking = {
      ...({ kind: 'person', isDue: false, expected: { submissions: 0, links: 0 } } as const),
    };
    const ended = {
      ...({ kind: 'person', grantedAt: START, endedAt: START, inFlight: 0, busyUntil: 0 } as const),
    };
    const number = fc.oneof(
      fc.constantFrom(0, 1, 59, 60, 1e9, 999_999_999_999_999),
      fc.nat({ max: 500 }),
    );
    const resetAt = fc
      .oneof(fc.constantFrom(-1e10, -1, 0, 1, 1e10), fc.integer({ min: -7e6, max: 7e6 }))
      .map((ms) => new Date(START + ms));
    const said = fc.record({ limit: number, remaining: number, resetAt }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.array(said, { maxLength: 20 }), fc.nat({ max: 60 }), (all, taken) => {
        let budget = newBudget();
        for (let call = 0; call < taken; call += 1) budget = takeCall(budget, asking, START).budget;
        for (const headers of all) {
          budget = learn(budget, { ...ended, ...headers });
          expect(budget.limit).toBeGreaterThanOrEqual(1);
          expect(budget.limit).toBeLessThanOrEqual(60_000);
          const isAhead = headers.resetAt !== undefined && headers.resetAt.getTime() > START;
          if (headers.remaining !== undefined && isAhead)
            expect(callsLeft(budget, START)).toBeLessThanOrEqual(headers.remaining);
        }
        expect(callsLeft(budget, START + MINUTE_MS + 4_001)).toBe(budget.limit);
      }),
    );
  });
});

describe('after a 429', () => {
  /** The service has just refused a call. */
  async function refused(retryAfter: string | undefined) {
    const key = servedKeys();
    key.service.answer = (_, name) =>
      name === 'key' ? answerWith(429, retryAfter ? { 'retry-after': retryAfter } : {}) : undefined;
    expect((await key.call('person')).code).toBe('429');
    key.service.answer = () => undefined;
    return key;
  }

  it.each([
    ['30', 30_000],
    [undefined, 60_000],
    ['1000000000', HOUR_MS],
  ])(
    'with Retry-After %s no call is made early by anyone, even after a restart',
    async (retryAfter, waitMs) => {
      const { call, start, pass, arrivals } = await refused(retryAfter);
      const restarted = start();
      const callers = [call, restarted.call];
      await pass(waitMs - 1);
      for (const one of callers)
        for (const callClass of ['posted', 'background'] as const)
          expect((await one(callClass)).code).toBe('rate_limited');
      expect(arrivals).toHaveLength(1);
      await pass(1);
      for (const one of callers) expect((await one('person')).code).toBe('answered');
    },
  );

  it('a call being granted at that moment is not sent', async () => {
    const kept = budgetsInMemory();
    const stored = Promise.withResolvers<void>();
    let replacements = 0;
    let second: Promise<CallResult> | undefined;
    const { call, pass, arrivals, service } = servedKeys({
      store: {
        ...kept,
        async replace(...replacement) {
          replacements += 1;
          const isSecond = replacements === 2;
          const revision = await kept.replace(...replacement);
          // Asked for before the first call is sent, so its grant is being stored when the 429 comes.
          second ??= call('posted');
          if (isSecond) await stored.promise;
          return revision;
        },
      },
    });
    service.answer = () => answerWith(429, { 'retry-after': '60' });
    const first = call('person');
    await pass(0);
    stored.resolve();
    expect([(await first).code, (await second)?.code]).toEqual(['429', 'rate_limited']);
    expect(arrivals).toHaveLength(1);
  });

  it.each([
    ['an hour', 1, 60],
    ['a day', 24, 60],
    ['an hour, as long as the service said to wait,', 1, 3_600],
  ])('a clock set back for %s makes nobody wait longer than told', async (_, hours, seconds) => {
    const { setBack, start, pass } = await refused(`${seconds}`);
    setBack(hours * HOUR_MS);
    const restarted = start();
    for (const { call } of [restarted, start()]) {
      const { code, retryAt = 0 } = await call('posted');
      expect(code).toBe('rate_limited');
      expect(retryAt - Date.now()).toBeLessThan((seconds + 1) * 1_000);
    }
    await pass((seconds - 1) * 1_000);
    expect((await restarted.call('background')).code).toBe('rate_limited');
    await pass(1_000);
    expect((await restarted.call('person')).code).toBe('answered');
  });
});

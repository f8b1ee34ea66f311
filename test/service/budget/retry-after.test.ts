import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../../src/store/api-keys.ts';
import { budgetedService, type CallResult, START } from './budgeted-service.ts';

/** Long enough to read an answer written on this machine. */
const READ_WITHIN_MS = 100;
const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const date = (ms: number) => new Date(START + ms).toUTCString();

describe('after a 429', () => {
  it.each<[string, string | number | undefined, number]>([
    ['seconds', 30, 30 * SECOND_MS],
    ['an HTTP date', date(90 * SECOND_MS), 90 * SECOND_MS],
    ['a date that has passed', date(-HOUR_MS), SECOND_MS],
    ['nothing at all', undefined, 60 * SECOND_MS],
    ['nonsense', 'in a little while', 60 * SECOND_MS],
    ['a billion seconds', 1_000_000_000, HOUR_MS],
  ])(
    'with Retry-After %s no call is made early by anyone, even after a restart',
    async (_name, retryAfter, waitMs) => {
      const { design, startReplica, advance, clock } = await budgetedService();
      const told = await startReplica();
      const bystander = await startReplica();
      design.faults.add({
        kind: 'rate-limited',
        times: 1,
        ...(retryAfter === undefined ? {} : { retryAfter }),
      });
      expect(await told.call('person')).toEqual({ code: 'rate_limited', retryAt: START + waitMs });
      await told.end();
      const restarted = await startReplica();
      if (waitMs > 6 * SECOND_MS) {
        for (const { call } of [restarted, bystander]) {
          expect((await call('person')).code).toBe('rate_limited');
          expect((await call('posted')).code).toBe('rate_limited');
          expect((await call('background')).code).toBe('rate_limited');
        }
        expect(design.ledger).toHaveLength(1);
      }
      await advance(waitMs);
      expect((await restarted.call('person')).code).toBe('answered');
      expect((await bystander.call('person')).code).toBe('answered');
      expect(design.ledger.slice(1).every(({ at }) => at.getTime() >= START + waitMs)).toBe(true);
      expect(clock.now).toBe(START + waitMs);
    },
  );

  it('a call being granted at that moment is not sent', async () => {
    const { design, startReplica } = await budgetedService();
    const answered = Promise.withResolvers<void>();
    let replacements = 0;
    let second: Promise<CallResult> | undefined;
    const { call } = await startReplica((kept) => ({
      ...kept,
      async replace(...replacement) {
        replacements += 1;
        const isSecond = replacements === 2;
        const revision = await kept.replace(...replacement);
        // Asked for before the first call is sent, so its grant is being stored when the 429 comes.
        second ??= call('posted');
        if (isSecond) await answered.promise;
        return revision;
      },
    }));
    design.faults.add({ kind: 'rate-limited', retryAfter: 60 });
    const first = call('person');
    await expect.poll(() => design.calls()[0]?.status).toBe(429);
    // The answer is on its way; the grant is stored only when it has been read.
    await setTimeout(READ_WITHIN_MS);
    answered.resolve();
    expect((await first).code).toBe('rate_limited');
    expect((await second)?.code).toBe('rate_limited');
    expect(design.ledger).toHaveLength(1);
  });

  it('another key is unaffected', async () => {
    const { design, startReplica } = await budgetedService();
    const { call } = await startReplica();
    const key = design.issueKey();
    design.faults.add({ kind: 'rate-limited', retryAfter: 600, key: design.apiKey });
    await call('person');
    expect((await call('person')).code).toBe('rate_limited');
    for (let link = 0; link < 40; link += 1)
      expect(await call('posted', { key })).toEqual({ code: 'answered' });
    expect(design.calls({ keyFingerprint: fingerprintOf(design.apiKey) })).toHaveLength(1);
  });

  it.each([
    ['half an hour', 0.5, 60],
    ['an hour', 1, 60],
    ['a day', 24, 60],
    ['an hour, as long as the service said to wait,', 1, 3_600],
  ])(
    'a clock set back for %s makes nobody wait longer than told',
    async (_name, hours, retryAfter) => {
      const { design, startReplica, advance, clock } = await budgetedService();
      const { call } = await startReplica();
      design.faults.add({ kind: 'rate-limited', retryAfter, times: 1 });
      await call('person');
      await advance(-hours * HOUR_MS);
      const restarted = await startReplica();
      for (const replica of [restarted, await startReplica()]) {
        const { code, retryAt = 0 } = await replica.call('posted');
        expect(code).toBe('rate_limited');
        expect(retryAt - clock.now).toBeLessThan((retryAfter + 1) * SECOND_MS);
      }
      await advance((retryAfter - 1) * SECOND_MS);
      expect((await restarted.call('background')).code).toBe('rate_limited');
      await advance(SECOND_MS);
      expect((await restarted.call('person')).code).toBe('answered');
    },
  );

  it('a clock that is set back puts nobody behind those who were told to retry before', async () => {
    const { design, startReplica, advance, clock } = await budgetedService();
    const { call } = await startReplica();
    design.faults.add({ kind: 'rate-limited', retryAfter: 60, times: 1 });
    for (let link = 0; link < 20; link += 1) await call('posted');
    await advance(-HOUR_MS / 2);
    const { retryAt = 0 } = await call('posted');
    expect(retryAt - clock.now).toBeLessThan(61 * SECOND_MS);
  });
});

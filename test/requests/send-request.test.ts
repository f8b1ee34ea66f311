import { describe, expect, it } from 'vitest';
import { resumeWaiting } from '../../src/requests/resume.ts';
import { T1 } from '../installations/ids.ts';
import type { Fault } from '../stand-ins/design-service/faults.ts';
import { at } from '../store/stores-under-test.ts';
import { requestsUnderTest } from './requests-under-test.ts';

const onCreate = { operation: 'createCard', times: 1 } as const;

describe('a request whose key has no call left', () => {
  async function withoutCalls() {
    const delivery = await requestsUnderTest();
    const { design, service, clock } = delivery;
    clock.now = new Date();
    design.limitKey(design.apiKey, 5);
    for (let calls = 0; calls < 5; calls += 1) await service.call(T1, (api) => api.listTags());
    return delivery;
  }

  it('waits unsent, and its author is told when it will be sent', async () => {
    const { submit, stateOf, stores, announced, posts, clock } = await withoutCalls();
    await submit('r1');
    await expect.poll(() => announced).toEqual([{ state: 'queued', problem: 'busy' }]);
    expect(await stateOf('r1')).toBe('queued');
    const { attempts, problem } = (await stores.requests.get(T1, 'r1')) ?? {};
    expect(attempts).toBe(0);
    const waitsMs = (problem?.retryAt ?? 0) - clock.now.getTime();
    expect(waitsMs).toBeGreaterThan(55_000);
    expect(waitsMs).toBeLessThan(66_000);
    expect(posts()).toBe(0);
  });

  it('is sent once, when a call is available again', async () => {
    const { submit, stateOf, announced, posts, clock, restart, design } = await withoutCalls();
    await submit('r1');
    await expect.poll(() => announced).toHaveLength(1);
    // The service's own clock doesn't move, so it would still count calls that have expired here.
    design.limitKey(design.apiKey, 10);
    clock.now = new Date(clock.now.getTime() + 70_000);
    await restart();
    await expect.poll(() => stateOf('r1')).toBe('created');
    expect(posts()).toBe(1);
  });

  it('is sent once even if the clock is set back by an hour', async () => {
    const { submit, stateOf, announced, posts, clock, restart, design } = await withoutCalls();
    await submit('r1');
    await expect.poll(() => announced).toHaveLength(1);
    clock.now = new Date(clock.now.getTime() - 3_600_000);
    await restart();
    expect(posts()).toBe(0);
    design.limitKey(design.apiKey, 10);
    // It is late by as much as the clock was set back.
    clock.now = new Date(clock.now.getTime() + 3_670_000);
    await restart();
    await expect.poll(() => stateOf('r1')).toBe('created');
    expect(posts()).toBe(1);
  });

  it('waits without a notice if it isn’t for long', async () => {
    const { submit, stores, announced, posts, clock, jobsOfKind } = await withoutCalls();
    clock.now = new Date(clock.now.getTime() + 61_000);
    await submit('r1');
    const triedAgainAt = async () => (await jobsOfKind('deliver-request'))[0]?.runAt.getTime() ?? 0;
    await expect.poll(triedAgainAt).toBeGreaterThan(clock.now.getTime());
    const request = await stores.requests.get(T1, 'r1');
    expect(request).toMatchObject({ state: 'queued', revision: 1 });
    expect(request?.problem).toBeUndefined();
    expect(await jobsOfKind('announce-request')).toEqual([]);
    expect(announced).toEqual([]);
    expect(posts()).toBe(0);
  });
});

describe('the service’s answer to a request', () => {
  it.each<[string, Fault, string, string, number]>([
    ['400', { kind: 'status', status: 400, ...onCreate }, 'rejected', 'invalid_request', 1],
    ['422', { kind: 'status', status: 422, ...onCreate }, 'rejected', 'invalid_request', 1],
    ['404', { kind: 'status', status: 404, ...onCreate }, 'rejected', 'invalid_request', 1],
    ['401', { kind: 'unauthorized', ...onCreate }, 'waiting_for_key', 'key_rejected', 1],
    ['403', { kind: 'status', status: 403, ...onCreate }, 'waiting_for_key', 'forbidden', 1],
    [
      '302',
      { kind: 'status', status: 302, location: '/', ...onCreate },
      'in_doubt',
      'outcome_unknown',
      1,
    ],
    ['408', { kind: 'status', status: 408, ...onCreate }, 'in_doubt', 'outcome_unknown', 1],
    ['500', { kind: 'status', status: 500, ...onCreate }, 'in_doubt', 'outcome_unknown', 1],
    [
      '503',
      { kind: 'status', status: 503, executed: true, ...onCreate },
      'in_doubt',
      'outcome_unknown',
      1,
    ],
    [
      'none, after creating the card',
      { kind: 'drop-after-executing', ...onCreate },
      'in_doubt',
      'outcome_unknown',
      1,
    ],
    [
      'none, without creating a card',
      { kind: 'reset-before-executing', ...onCreate },
      'in_doubt',
      'outcome_unknown',
      1,
    ],
  ])('%s: it is %s', async (_answer, fault, state, problem, posts) => {
    const { submit, design, announced, posts: posted } = await requestsUnderTest();
    design.faults.add(fault);
    await submit('r1');
    await expect.poll(() => announced).toEqual([{ state, problem }]);
    expect(posted()).toBe(posts);
  });

  it.each<[string, Fault]>([['an empty body', { kind: 'empty-body', ...onCreate }]])(
    '%s after 2xx: it is a card without a known ID',
    async (_name, fault) => {
      const { submit, design, announced, posts, stores } = await requestsUnderTest();
      design.faults.add(fault);
      await submit('r1');
      await expect.poll(() => announced).toEqual([{ state: 'created', problem: undefined }]);
      expect((await stores.requests.get(T1, 'r1'))?.cardId).toBeUndefined();
      expect(posts()).toBe(1);
    },
  );

  it('field errors: they are kept for the form', async () => {
    const { submit, announced, stores } = await requestsUnderTest();
    const { form } = await submit('r0');
    await submit('r1', { form: { ...form, requestType: { id: 'no-such-type', name: 'Old' } } });
    await expect
      .poll(() => announced)
      .toContainEqual({
        state: 'rejected',
        problem: 'invalid_request',
      });
    const request = await stores.requests.get(T1, 'r1');
    expect(Object.keys(request?.problem?.details ?? {})).toEqual(['typeId']);
  });
});

describe('a request that certainly didn’t arrive', () => {
  it('waits until the time the service names, and is sent automatically', async () => {
    const { submit, design, announced, posts, clock, runner, stores, jobsOfKind } =
      await requestsUnderTest();
    clock.now = new Date();
    design.faults.add({ kind: 'rate-limited', retryAfter: 60, ...onCreate });
    await submit('r1');
    await expect.poll(() => announced).toEqual([{ state: 'queued', problem: 'busy' }]);
    const { problem } = (await stores.requests.get(T1, 'r1')) ?? {};
    const retryAt = problem?.retryAt ?? 0;
    expect(retryAt - clock.now.getTime()).toBeGreaterThan(55_000);
    clock.now = new Date(retryAt - 1);
    await runner.add({
      kind: 'announce-request',
      workspaceId: T1,
      payload: { requestId: 'x', revision: 1 },
    });
    // Jobs that are due run in the order of their times, so a delivery that was due would have run by now.
    await expect
      .poll(async () => (await jobsOfKind('announce-request')).map(({ state }) => state))
      .toEqual(['done', 'done']);
    const [delivery] = await jobsOfKind('deliver-request');
    expect(delivery).toMatchObject({ state: 'ready', runAt: new Date(retryAt) });
    expect(posts()).toBe(1);
    clock.now = new Date(retryAt + 5_000);
    await runner.add({
      kind: 'announce-request',
      workspaceId: T1,
      payload: { requestId: 'x', revision: 1 },
    });
    await expect.poll(() => announced.at(-1)).toEqual({ state: 'created', problem: undefined });
    expect(posts()).toBe(2);
  });

  it('waits for a key, and is sent once one is connected', async () => {
    const { submit, stores, service, announced, posts, ctx, connect } = await requestsUnderTest();
    await stores.keys.disconnect(T1, at(0));
    service.forget(T1);
    await submit('r1');
    await submit('r2');
    await expect.poll(() => announced).toHaveLength(2);
    expect(announced[0]).toEqual({ state: 'waiting_for_key', problem: 'no_key' });
    await connect(T1);
    expect(await resumeWaiting(ctx, T1)).toHaveLength(2);
    expect(await resumeWaiting(ctx, T1)).toHaveLength(0);
    await expect.poll(() => announced.filter(({ state }) => state === 'created')).toHaveLength(2);
    expect(posts()).toBe(2);
  });

  it('is sent with the key that was rejected if that key is connected again, even if the clock was set back', async () => {
    const { submit, stateOf, design, announced, connect, clock, ctx } = await requestsUnderTest();
    design.faults.add({ kind: 'status', status: 403, ...onCreate });
    await submit('r1');
    await expect.poll(() => announced.at(-1)?.state).toBe('waiting_for_key');
    expect(await resumeWaiting(ctx, T1)).toHaveLength(0);
    clock.now = new Date(clock.now.getTime() - 3_600_000);
    await connect(T1, design.apiKey);
    await resumeWaiting(ctx, T1);
    await expect.poll(() => stateOf('r1')).toBe('created');
  });

  it('doesn’t wait forever if a key was connected while the old one was being rejected', async () => {
    const { submit, design, announced, connect, posts, trouble } = await requestsUnderTest();
    design.revokeKey(design.apiKey);
    // It is sent with the old key nevertheless.
    trouble.beforeSending = async () => {
      trouble.beforeSending = undefined;
      await connect(T1);
    };
    await submit('r1');
    await expect.poll(() => announced.at(-1)?.state).toBe('created');
    expect(posts()).toBe(2);
  });
});

describe('a process that ends while sending', () => {
  it('leaves a request in doubt, which is not sent again', async () => {
    const { submit, stores, posts, announced, restart, clock } = await requestsUnderTest({
      started: false,
    });
    const request = await submit('r1');
    await stores.requests.changeState(request, ['queued'], 'sending', { attempts: 1 }, clock.now);
    await restart();
    await expect.poll(() => announced).toEqual([{ state: 'in_doubt', problem: 'outcome_unknown' }]);
    expect(posts()).toBe(0);
  });

  it('leaves outcomes that weren’t announced, which are announced at the next start', async () => {
    const { submit, stores, announced, restart, clock } = await requestsUnderTest({
      started: false,
    });
    const request = await submit('r1');
    await stores.requests.changeState(
      request,
      ['queued'],
      'created',
      { cardId: 'card-1' },
      clock.now,
    );
    await restart();
    await expect.poll(() => announced).toEqual([{ state: 'created', problem: undefined }]);
    await restart();
    expect(announced).toHaveLength(1);
  });

  it('leads to no second card if several jobs have one request', async () => {
    const { submit, posts, announced, runner, design, ctx, trouble } = await requestsUnderTest({
      started: false,
    });
    design.faults.add({ kind: 'stall', ms: 50, operation: 'createCard' });
    const { id, revision } = await submit('r1');
    for (let copy = 0; copy < 5; copy += 1) {
      const payload = { requestId: id, revision };
      await ctx.jobs.add({ kind: 'deliver-request', workspaceId: T1, payload });
    }
    // All have found the request waiting before the first of them sends it.
    const all = Promise.withResolvers<void>();
    let arrived = 0;
    trouble.beforeSending = () => {
      arrived += 1;
      if (arrived === 6) all.resolve();
      return all.promise;
    };
    await runner.start();
    await expect.poll(() => announced).toEqual([{ state: 'created', problem: undefined }]);
    expect(posts()).toBe(1);
  });

  it('leads to no second card if a job starts while another is sending', async () => {
    const { submit, posts, announced, design, ctx, stateOf } = await requestsUnderTest();
    design.faults.add({ kind: 'stall', ms: 100, operation: 'createCard' });
    const { id, revision } = await submit('r1');
    await expect.poll(() => stateOf('r1')).toBe('sending');
    const payload = { requestId: id, revision };
    await ctx.jobs.add({ kind: 'deliver-request', workspaceId: T1, payload });
    await expect.poll(() => announced).toEqual([{ state: 'created', problem: undefined }]);
    expect(posts()).toBe(1);
  });
});

describe('telling an author the outcome', () => {
  it('is retried until it works, and done once', async () => {
    const { submit, announced, trouble, clock, runner, jobsOfKind } = await requestsUnderTest();
    trouble.announcing = new Error('Slack is down');
    await submit('r1');
    await expect
      .poll(async () => (await jobsOfKind('announce-request')).map(({ state }) => state))
      .toEqual(['ready']);
    trouble.announcing = undefined;
    clock.now = at(600);
    await runner.add({
      kind: 'announce-request',
      workspaceId: T1,
      payload: { requestId: 'x', revision: 1 },
    });
    await expect.poll(() => announced).toEqual([{ state: 'created', problem: undefined }]);
  });

  it('is not done early because of a restart', async () => {
    const { submit, design, announced, posts, clock, restart, jobsOfKind } =
      await requestsUnderTest();
    clock.now = new Date();
    design.faults.add({ kind: 'rate-limited', retryAfter: 60, ...onCreate });
    await submit('r1');
    await expect.poll(() => announced).toEqual([{ state: 'queued', problem: 'busy' }]);
    await restart();
    // Whatever was due is done.
    await expect
      .poll(async () => {
        const jobs = await jobsOfKind('deliver-request');
        return jobs.every(({ runAt, state }) => state === 'done' || runAt > clock.now);
      })
      .toBe(true);
    expect(posts()).toBe(1);
  });
});

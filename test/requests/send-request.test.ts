import { WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { REQUEST_JOBS } from '../../src/requests/jobs.ts';
import { resumeWaiting } from '../../src/requests/resume.ts';
import { T1 } from '../installations/ids.ts';
import { claimOne } from '../store/stores-under-test.ts';
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

  it('waits unsent, its author is told when it will be sent, and then it is sent once', async () => {
    const { submit, stateOf, stores, announced, posts, clock, restart, design } =
      await withoutCalls();
    await submit('r1');
    await expect.poll(() => announced).toEqual([{ state: 'queued', problem: 'busy' }]);
    const { state, attempts, problem } = (await stores.requests.get(T1, 'r1')) ?? {};
    expect([state, attempts, posts()]).toEqual(['queued', 0, 0]);
    const waitsMs = (problem?.retryAt ?? 0) - clock.now.getTime();
    expect(waitsMs).toBeGreaterThan(55_000);
    expect(waitsMs).toBeLessThan(66_000);
    // The service's own clock doesn't move, so it would still count calls that have expired here.
    design.limitKey(design.apiKey, 10);
    clock.now = new Date(clock.now.getTime() + 70_000);
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

describe('a request that certainly didn’t arrive', () => {
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
});

describe('a job of a request that Slack', () => {
  it.each([
    ['asks to wait runs again then', new WebAPIRateLimitedError(30), 30_000],
    [
      'refuses runs again in five seconds',
      new WebAPIPlatformError({ ok: false, error: 'channel_not_found' }),
      5_000,
    ],
  ])('%s, and is never given up', async (_, announcing, waitMs) => {
    const { submit, trouble, jobsOfKind, clock } = await requestsUnderTest();
    trouble.announcing = announcing;
    await submit('r1');
    const runAt = new Date(clock.now.getTime() + waitMs);
    await expect
      .poll(() => jobsOfKind(REQUEST_JOBS.announce))
      .toMatchObject([{ state: 'ready', runAt }]);
  });
});

it('a process that ends while sending leads to no second card if several jobs have one request', async () => {
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

/** Does what another replica does with the jobs of a process that it believes dead. */
const giveBack = ({ db }: Awaited<ReturnType<typeof requestsUnderTest>>) =>
  db.updateTable('jobs').set({ state: 'ready' }).execute();

describe('a process that lost its job', () => {
  it('while the service rejects the request leaves it with a job', async () => {
    const world = await requestsUnderTest();
    const { submit, design, runner, stateOf, jobsOfKind, posts } = world;
    // Every call is one too many, and the answer takes a moment.
    design.limitKey(design.apiKey, 0);
    design.faults.add({ kind: 'stall', ms: 500, operation: 'createCard' });
    await submit('r1');
    await expect.poll(posts).toBe(1);
    await giveBack(world);
    await runner.add({ kind: 'wakes the runner', workspaceId: T1, payload: {} });
    // Claimed again while it is being sent, it is to run a moment later.
    await expect.poll(async () => (await jobsOfKind('deliver-request'))[0]?.fence).toBe(2);
    await expect.poll(() => stateOf('r1')).toBe('queued');
    await runner.stop();
    expect(await jobsOfKind('deliver-request')).toMatchObject([{ state: 'ready' }]);
  });

  it('while the card is prepared doesn’t mark the request as sending', async () => {
    const world = await requestsUnderTest();
    const { submit, stores, clock, runner, trouble, posts } = world;
    const takenBack = Promise.withResolvers<void>();
    trouble.beforeSending = async () => {
      await giveBack(world);
      await claimOne(stores.jobTable, clock.now);
      takenBack.resolve();
    };
    await submit('r1');
    await takenBack.promise;
    await runner.stop();
    // The new owner of the job finds it unchanged, and sends it.
    expect(await stores.requests.get(T1, 'r1')).toMatchObject({ state: 'queued', attempts: 0 });
    expect(posts()).toBe(0);
  });
});

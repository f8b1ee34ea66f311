import { describe, expect, it, onTestFinished } from 'vitest';
import { createLease, type Lease } from '../../src/jobs/lease.ts';
import { createLog } from '../../src/ops/logging.ts';
import type { ReplicaStore } from '../../src/store/replicas.ts';
import type { Stores } from '../../src/store/stores.ts';
import { T1 } from '../installations/ids.ts';
import { advanceMonotonicClock, speedUpMonotonicClock } from '../monotonic-clock.ts';
import { at, claimOne } from '../store/stores-under-test.ts';
import { openPostgresStores } from './postgres-stores.ts';

/** Short, so that a test can see a replica die; long enough for a machine that pauses. */
const TIMING = { leaseMs: 1_500, renewMs: 100 };
const JOB = { kind: 'test', workspaceId: T1, payload: {} };

/** How often a process may end while a job runs. */
const CHANCES = 3;

const takeBack = ({ jobTable }: Stores) => jobTable.releaseAbandoned(at(0), CHANCES);

type Replica = { lease: Lease; stores: Stores; deaths: number };

async function join(
  stores: Stores,
  heard: Partial<ReplicaStore> = {},
  clock = () => new Date(),
): Promise<Replica> {
  const replica: Replica = {
    stores,
    deaths: 0,
    lease: createLease({
      replicas: { ...stores.replicas, ...heard },
      async onExpired() {
        replica.deaths += 1;
      },
      now: clock,
      log: createLog({ level: 'silent' }),
      timing: TIMING,
    }),
  };
  await replica.lease.start(async () => void (await takeBack(stores)));
  onTestFinished(() => replica.lease.end());
  return replica;
}

const states = async ({ db }: Awaited<ReturnType<typeof openPostgresStores>>) =>
  (await db.selectFrom('jobs').select('state').orderBy('id').execute()).map(({ state }) => state);

/** A replica that dies right after its first heartbeat. */
async function dies(stores: Stores, leaseMs = TIMING.leaseMs): Promise<void> {
  await stores.replicas.renew(leaseMs);
}

/** Replicas look for dead ones only once they have held their own lease for its length by this clock. */
const shortenTheWait = () => speedUpMonotonicClock(5);

describe('a job of a replica', () => {
  it('that has died goes to another once the lease has expired, not before', async () => {
    const opened = await openPostgresStores();
    const { stores: dead } = opened;
    await dies(dead);
    await dead.jobTable.add(JOB, at(0));
    const claimed = await claimOne(dead.jobTable, at(0));
    shortenTheWait();
    const { deaths, stores } = await join(await opened.openAgain());
    expect([await takeBack(stores), await states(opened), deaths]).toEqual([[], ['running'], 0]);
    await dead.replicas.renew(1);
    await expect.poll(() => states(opened)).toEqual(['ready']);
    expect(await claimOne(stores.jobTable, at(0))).toMatchObject({ id: claimed?.id, attempts: 2 });
    if (claimed) await dead.jobTable.finish(claimed, 'done', at(1));
    expect(await states(opened)).toEqual(['running']);
  });

  it('that is alive stays with it, however long it takes', async () => {
    const opened = await openPostgresStores();
    const living = await join(opened.stores);
    const other = await join(await opened.openAgain());
    await living.stores.jobTable.add(JOB, at(0));
    await claimOne(living.stores.jobTable, at(0));
    // Another one that dies meanwhile shows that jobs of the dead are reclaimed.
    await dies(await opened.openAgain());
    await expect.poll(() => living.deaths + other.deaths).toBe(1);
    expect(await states(opened)).toEqual(['running']);
    expect([living.lease.heldFromNow()(), other.lease.heldFromNow()()]).toEqual([true, true]);
  });

  it('that has ended is free at once', async () => {
    const opened = await openPostgresStores();
    const ending = await join(opened.stores);
    await ending.stores.jobTable.add(JOB, at(0));
    await claimOne(ending.stores.jobTable, at(0));
    await ending.lease.end();
    expect(await takeBack(await opened.openAgain())).toEqual([]);
    expect(await states(opened)).toEqual(['ready']);
  });
});

it('a replica whose lease has run out claims nothing until it is renewed', async () => {
  const { stores } = await openPostgresStores();
  await stores.jobTable.add(JOB, at(0));
  expect(await claimOne(stores.jobTable, at(0))).toBeUndefined();
  await stores.replicas.renew(0);
  expect(await claimOne(stores.jobTable, at(0))).toBeUndefined();
  await stores.replicas.renew(TIMING.leaseMs);
  expect(await claimOne(stores.jobTable, at(0))).toMatchObject({ attempts: 1 });
});

describe('a replica that can’t reach the database', () => {
  it('starts nothing until it is renewed, and may have lost what it started before', async () => {
    const { stores } = await openPostgresStores();
    let isUnavailable = false;
    const { lease } = await join(stores, {
      renew: async (ms) => {
        if (isUnavailable) throw new Error('the database is down');
        await stores.replicas.renew(ms);
      },
    });
    const isHeld = lease.heldFromNow();
    expect(isHeld()).toBe(true);
    isUnavailable = true;
    advanceMonotonicClock(TIMING.leaseMs);
    expect(isHeld()).toBe(false);
    const beganWithout = lease.heldFromNow();
    expect(beganWithout()).toBe(false);
    isUnavailable = false;
    await expect.poll(() => lease.heldFromNow()()).toBe(true);
    expect([isHeld(), beganWithout(), lease.heldFromNow()()]).toEqual([false, false, true]);
  });

  it('counts a renewal that arrives too late as a gap', async () => {
    const { stores } = await openPostgresStores();
    const begun = Promise.withResolvers<void>();
    const late = Promise.withResolvers<void>();
    let isSlow = false;
    const { lease } = await join(stores, {
      renew: async (ms) => {
        if (isSlow) begun.resolve();
        if (isSlow) await late.promise;
        await stores.replicas.renew(ms);
      },
    });
    const isHeld = lease.heldFromNow();
    isSlow = true;
    await begun.promise;
    advanceMonotonicClock(TIMING.leaseMs);
    expect(isHeld()).toBe(false);
    late.resolve();
    await expect.poll(() => lease.heldFromNow()()).toBe(true);
    expect(isHeld()).toBe(false);
  });

  it('notices by the wall clock that its machine was suspended', async () => {
    const { stores } = await openPostgresStores();
    const clock = { now: at(0) };
    const { lease } = await join(stores, {}, () => clock.now);
    const isHeld = lease.heldFromNow();
    expect(isHeld()).toBe(true);
    clock.now = at(TIMING.leaseMs / 1_000);
    expect([isHeld(), lease.heldFromNow()()]).toEqual([false, false]);
    await expect.poll(() => lease.heldFromNow()()).toBe(true);
    expect(isHeld()).toBe(false);
  });

  it('reclaims from nobody until it has been alive for a lease: the others couldn’t renew theirs either', async () => {
    const opened = await openPostgresStores();
    const { stores } = opened;
    const missed = Promise.withResolvers<void>();
    const buried = Promise.withResolvers<number>();
    let isUnavailable = false;
    let heardAgain: number | undefined;
    await join(stores, {
      async renew(ms) {
        if (isUnavailable) missed.resolve();
        if (isUnavailable) throw new Error('the database is down');
        await stores.replicas.renew(ms);
        heardAgain ??= performance.now();
      },
      async deleteExpired() {
        const died = await stores.replicas.deleteExpired();
        if (died > 0) buried.resolve(performance.now() - (heardAgain ?? 0));
        return died;
      },
    });
    isUnavailable = true;
    await missed.promise;
    shortenTheWait();
    await (await opened.openAgain()).replicas.renew(1);
    heardAgain = undefined;
    isUnavailable = false;
    expect(await buried.promise).toBeGreaterThan(TIMING.leaseMs - TIMING.renewMs);
  });
});

it('a death is reported to one of the living', async () => {
  const opened = await openPostgresStores();
  shortenTheWait();
  await dies(await opened.openAgain(), 1);
  const living = await Promise.all([1, 2, 3].map(async () => join(await opened.openAgain())));
  const heard = () => living.reduce((sum, { deaths }) => sum + deaths, 0);
  await expect.poll(heard).toBe(1);
  // A second death is reported too: the survivors keep checking.
  await dies(await opened.openAgain(), 1);
  await expect.poll(heard).toBe(2);
});

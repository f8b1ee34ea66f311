import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { reconcileJob } from '../../src/requests/jobs.ts';
import type { Database } from '../../src/store/database.ts';
import { claimOf } from '../../src/store/jobs.ts';
import { T1 } from '../installations/ids.ts';
import { speedUpMonotonicClock } from '../monotonic-clock.ts';
import { requestsUnderTest } from '../requests/requests-under-test.ts';
import { at, claimOne } from '../store/stores-under-test.ts';

const TIMING = { leaseMs: 1_500, renewMs: 100 };
const CREATED = [{ state: 'created', problem: undefined }];
/** Long enough for another replica to check the request being sent. */
const ANSWER_TAKES_MS = 2_000;

describe('a request that one replica is sending', () => {
  it('isn’t in doubt for another that starts meanwhile', async () => {
    const world = await requestsUnderTest({ started: false });
    const { submit, stateOf, posts, announced, design, db } = world;
    design.faults.add({ kind: 'stall', ms: ANSWER_TAKES_MS, operation: 'createCard' });
    await submit('r1');
    await world.addReplica(TIMING);
    await expect.poll(() => stateOf('r1')).toBe('sending');
    await world.addReplica(TIMING);
    // The second has checked it in a job of its own, and left it alone.
    const ofBoth = () => db.selectFrom('jobs').select('state').orderBy('id').execute();
    await expect.poll(ofBoth).toEqual([{ state: 'running' }, { state: 'done' }]);
    expect(await stateOf('r1')).toBe('sending');
    await expect.poll(() => announced).toEqual(CREATED);
    expect(posts()).toBe(1);
  });

  it('is sent once, however many replicas learn of it at the same time', async () => {
    const world = await requestsUnderTest({ started: false });
    const { submit, posts, announced, ctx, clock } = world;
    const { id, revision } = await submit('r1');
    for (let copy = 0; copy < 8; copy += 1) {
      const payload = { requestId: id, revision };
      await ctx.jobs.add({ kind: 'deliver-request', workspaceId: T1, payload });
    }
    await Promise.all([1, 2, 3].map(() => world.addReplica(TIMING)));
    await expect.poll(() => announced).toEqual(CREATED);
    // Those that found it being sent check again a second later.
    clock.now = new Date(clock.now.getTime() + 2_000);
    const unfinished = async () =>
      (await world.jobsOfKind('deliver-request')).filter(({ state }) => state !== 'done');
    await expect.poll(unfinished).toEqual([]);
    expect([posts(), announced]).toEqual([1, CREATED]);
  });
});

/** Makes the database refuse every new job of a kind, as a full disk does. @returns what repairs it */
async function refuseJobs(db: Database, kind: string): Promise<() => Promise<unknown>> {
  const refuse = `create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'no room'; end $$`;
  await sql.raw(refuse).execute(db);
  const when = `create trigger fault before insert on jobs for each row
    when (new.kind = '${kind}') execute function refuse()`;
  await sql.raw(when).execute(db);
  return () => sql`drop trigger fault on jobs`.execute(db);
}

it('an outcome that can’t be stored for a moment isn’t left to another replica, which wouldn’t know it', async () => {
  const world = await requestsUnderTest({ started: false });
  const { db, submit, announced, design, posts, addReplica, clock, ctx } = world;
  await Promise.all([1, 2, 3].map(() => addReplica(TIMING)));
  const repair = await refuseJobs(db, 'announce-request');
  await Promise.all(['r1', 'r2', 'r3'].map((id) => submit(id)));
  const created = () => design.calls({ operation: 'createCard' }).length;
  await expect.poll(created).toBe(3);
  // All of them query the table: a released job would be claimed.
  clock.now = at(600);
  const others = Array.from({ length: 9 }, () => 'nobody handles this');
  for (const kind of others) await ctx.jobs.add({ kind, workspaceId: T1, payload: {} });
  const looked = async () =>
    (await world.jobsOfKind('nobody handles this')).filter(({ attempts }) => attempts > 0);
  await expect.poll(looked).toHaveLength(others.length);
  await repair();
  await expect.poll(() => announced).toEqual([...CREATED, ...CREATED, ...CREATED]);
  expect(posts()).toBe(3);
});

it('a request isn’t sent by a process that was frozen since it claimed the job', async () => {
  const world = await requestsUnderTest({ started: false });
  const { submit, trouble, clock, announced, posts, ctx } = world;
  trouble.beforeSending = async () => {
    trouble.beforeSending = undefined;
    clock.now = at(60);
  };
  const { id } = await submit('r1');
  await world.addReplica(TIMING);
  await expect.poll(() => announced).toEqual(CREATED);
  // The first attempt ended before the first byte.
  expect([posts(), (await ctx.requests.get(T1, id))?.attempts]).toEqual([1, 2]);
});

describe('a request whose sender has died', () => {
  it('is in doubt once the lease has expired, not before, and nobody resends it', async () => {
    const world = await requestsUnderTest({ started: false });
    const { submit, stateOf, posts, announced, openAgain } = world;
    await submit('r1');
    const dead = await openAgain();
    await dead.replicas.renew(TIMING.leaseMs);
    const job = await claimOne(dead.jobTable, at(0));
    const request = await dead.requests.get(T1, 'r1');
    if (!job || !request) throw new Error('nothing to send');
    const change = { attempts: 1, sentBy: claimOf(job) };
    await dead.requests.changeState(request, ['queued'], 'sending', change, at(0));

    speedUpMonotonicClock(5);
    await world.addReplica(TIMING);
    expect(await stateOf('r1')).toBe('sending');
    await dead.replicas.renew(1);
    await expect.poll(() => announced).toEqual([{ state: 'in_doubt', problem: 'outcome_unknown' }]);
    // If the sender was alive after all, its result comes too late and changes nothing.
    await dead.jobTable.finish(job, 'done', at(1));
    expect(await stateOf('r1')).toBe('in_doubt');
    expect(posts()).toBe(0);
  });
});

it('a request being searched for by one replica isn’t asked about by another that starts', async () => {
  const world = await requestsUnderTest({ started: false });
  const { submit, stores, openAgain, ctx, jobsOfKind } = world;
  const request = await submit('r1');
  const first = await openAgain();
  await first.replicas.renew(TIMING.leaseMs);
  const delivery = await claimOne(first.jobTable, at(0));
  if (delivery) await first.jobTable.finish(delivery, 'done', at(0));
  const doubted = await stores.requests.changeState(request, ['queued'], 'in_doubt', {}, at(0));
  if (doubted) await ctx.jobs.add(reconcileJob(doubted));
  const looking = await claimOne(first.jobTable, at(0));
  await world.addReplica(TIMING);
  expect(await jobsOfKind('announce-request')).toEqual([]);
  // Once the search has failed and its replica is gone, another start tells the author.
  if (looking) await first.jobTable.finish(looking, 'done', at(0));
  await world.addReplica(TIMING);
  expect(await jobsOfKind('announce-request')).toHaveLength(1);
});

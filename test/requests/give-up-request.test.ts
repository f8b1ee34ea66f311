import { expect, it } from 'vitest';
import { createLog } from '../../src/ops/logging.ts';
import { giveUpRequestJob } from '../../src/requests/job-handlers.ts';
import { REQUEST_JOBS } from '../../src/requests/jobs.ts';
import { claimOf } from '../../src/store/jobs.ts';
import { T1 } from '../installations/ids.ts';
import { at, claimOne } from '../store/stores-under-test.ts';
import { requestsUnderTest } from './requests-under-test.ts';

/** How many times a process may end while a job runs. */
const CHANCES = 8;
/** Suspect jobs run one at a time; by then all have run. */
const MUCH_LATER = at(600);

type Requests = Awaited<ReturnType<typeof requestsUnderTest>>;

/** The process ended each time this kind of job ran; the next start finds it claimed for the last time. */
async function endedEachTime({ stores, jobsOfKind }: Requests, kind: string): Promise<void> {
  for (let end = 1; end <= CHANCES; end += 1) {
    if (end > 1) await stores.jobTable.releaseAbandoned(at(0), CHANCES);
    const claimed = await claimOne(stores.jobTable, MUCH_LATER);
    expect(claimed?.kind).toBe(kind);
  }
  expect((await jobsOfKind(kind)).map(({ state }) => state)).toEqual(['running']);
}

it('a request that can’t be sent goes back to its author, with its form to be changed', async () => {
  const requests = await requestsUnderTest({ started: false });
  const { submit, runner, announced, stateOf, posts, jobsOfKind } = requests;
  await submit('r1');
  await endedEachTime(requests, 'deliver-request');
  await runner.start();
  await expect.poll(() => announced).toEqual([{ state: 'rejected', problem: 'given_up' }]);
  expect(posts()).toBe(0);
  // The announcement is another job, which may end first.
  const sendings = async () => (await jobsOfKind('deliver-request')).map(({ state }) => state);
  await expect.poll(sendings).toEqual(['failed']);
  // Changed and sent again, it has all its attempts.
  await submit('r1', { form: { ...(await formOf(requests)), title: 'Another banner' } });
  await expect.poll(() => stateOf('r1')).toBe('created');
});

it('the author of a request that ended the process while it was being sent is asked', async () => {
  const requests = await requestsUnderTest({ started: false });
  const { submit, runner, announced, stores, clock, posts } = requests;
  const request = await submit('r1');
  await stores.requests.changeState(request, ['queued'], 'sending', { attempts: 1 }, clock.now);
  await endedEachTime(requests, 'deliver-request');
  await runner.start();
  await expect.poll(() => announced).toEqual([{ state: 'in_doubt', problem: 'outcome_unknown' }]);
  expect(posts()).toBe(0);
});

it('a request that another job is sending is left alone', async () => {
  const { submit, stores, clock, stateOf } = await requestsUnderTest({ started: false });
  const request = await submit('r1');
  const sender = await claimOne(stores.jobTable, clock.now);
  if (!sender) throw new Error('there is no job');
  const change = { attempts: 1, sentBy: claimOf(sender) };
  await stores.requests.changeState(request, ['queued'], 'sending', change, clock.now);
  const ctx = {
    requests: stores.requests,
    transact: stores.transact,
    jobTable: stores.jobTable,
    jobs: { add: async () => true },
    now: () => clock.now,
    log: createLog({ level: 'silent' }),
  };
  const about = { workspaceId: T1, payload: { requestId: 'r1', revision: 1 }, identity: undefined };
  const giveUp = () => giveUpRequestJob(ctx, { kind: REQUEST_JOBS.send, ...about });
  await giveUp();
  expect(await stateOf('r1')).toBe('sending');
  await stores.jobTable.finish(sender, 'failed', clock.now);
  await giveUp();
  expect(await stateOf('r1')).toBe('in_doubt');
});

/** A request that isn't queued any more, with the job that follows. */
async function changed(
  { submit, stores, clock }: Requests,
  state: 'in_doubt' | 'created',
  kind: 'reconcile-request' | 'announce-request',
): Promise<void> {
  const request = await submit('r1');
  const job = await claimOne(stores.jobTable, clock.now);
  if (job) await stores.jobTable.finish(job, 'done', clock.now);
  const change = state === 'created' ? { cardId: 'c1' } : {};
  await stores.transact(async ({ requests, jobs }) => {
    const moved = await requests.changeState(request, ['queued'], state, change, clock.now);
    const payload = { requestId: 'r1', revision: moved?.revision };
    await jobs.add({ kind, identity: `${kind}/r1/2`, workspaceId: T1, payload }, clock.now);
  });
}

it('the author of a request that can’t be searched for is asked', async () => {
  const requests = await requestsUnderTest({ started: false });
  await changed(requests, 'in_doubt', 'reconcile-request');
  await endedEachTime(requests, 'reconcile-request');
  await requests.runner.start();
  await expect.poll(() => requests.announced.map(({ state }) => state)).toEqual(['in_doubt']);
});

it('an outcome that can’t be announced in full is announced in one plain line', async () => {
  const requests = await requestsUnderTest({ started: false });
  const { runner, announced, toldPlainly, restart } = requests;
  await changed(requests, 'created', 'announce-request');
  await endedEachTime(requests, 'announce-request');
  await runner.start();
  await expect.poll(() => toldPlainly).toEqual([{ state: 'created', problem: undefined }]);
  await restart();
  expect(announced).toEqual([]);
  expect(toldPlainly).toHaveLength(1);
});

async function formOf({ stores }: Requests) {
  const request = await stores.requests.get(T1, 'r1');
  if (!request) throw new Error('there is no request');
  return request.form;
}
